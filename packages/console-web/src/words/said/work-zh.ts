import type { Sentences } from './sentences';

/** What the doctor finds about queues, channels, pushes and apps. */
export const WORK_ZH: Sentences = {
  'start a channel-worker with CHANNEL={}': '启动 CHANNEL={0} 的 channel-worker',
  '{} at work, {} jobs due': '{0} 个进程在运行,{1} 个任务到期',
  '{} jobs are due and nobody takes them': '{0} 个任务到期,但没有进程处理',
  'nobody would take its jobs': '没有进程会处理它的任务',
  'nothing is sent': '不发送任何内容',
  'later pushes wait': '之后的推送等待',
  'whatever comes is booked without a call of the vendor': '到来的推送直接记账,不调用厂商',
  'at least {}': '至少 {0}',
  'paused since {}: {}; {}{} devices wait (pushes: {})': '自 {0} 起已暂停:{1*};{2}{3*} 台设备等待(推送:{4})',
  'draining since {}: {}; {}{} devices wait (pushes: {})': '自 {0} 起收尾:{1*};{2}{3*} 台设备等待(推送:{4})',
  'discarding since {}: {}; {}{} devices wait (pushes: {})': '自 {0} 起丢弃:{1*};{2}{3*} 台设备等待(推送:{4})',
  '{} since {}: {}; {}{} devices wait (pushes: {})': '自 {1} 起 {0}:{2*};{3}{4*} 台设备等待(推送:{5})',
  '`pushfleet channels resume {}{}` when it is over': '结束后执行 `pushfleet channels resume {0}{1}`',
  '{} devices wait (pushes: {}): {}, until {}': '{0} 台设备等待(推送:{1}):{2},直到 {3}',
  '{} pushes wait, push {} of app {} among them: the vendor answers with a code that nobody knows ({})':
    '{0} 条推送等待,其中包括应用 {2} 的推送 {1}:厂商返回了未知的代码({3})',
  'look the code up with the vendor; then `pushfleet channels resume {}`, or cancel the pushes':
    '向厂商查询该代码;然后执行 `pushfleet channels resume {0}`,或取消这些推送',
  'no push waits for long': '没有推送长时间等待',
  'look at the log of the dispatchers': '查看 dispatcher 的日志',
  'see `pushfleet channels list`: is {} paused, its breaker open, or its budget too small?':
    '查看 `pushfleet channels list`:{0} 是否已暂停、熔断,或预算过小?',
  ', and {} or more others': ',另有至少 {0} 条',
  'push {} has waited for {} min{}': '推送 {0} 已等待 {1} 分钟{2*}',
  'the index of channels of every app is whole': '每个应用的频道索引都完整',
  'the index of channels of app {}{} was due for a check and gets none': '应用 {0}{1*} 的频道索引到期未检查',
  'does a dispatcher run, and what does its log say?': 'dispatcher 是否在运行?其日志有何内容?',
  'no dispatcher has been there since {}, so that the index of channels of every app is in doubt: pushes to channels wait for a dispatcher and are walked, {}':
    '自 {0} 起没有 dispatcher,每个应用的频道索引都不可靠:按频道的推送会等待 dispatcher 并逐台查找,{1*}',
  'start a dispatcher: it checks every index, and they are used again from ten minutes after its start; if one runs, its log says why it does not note that it is there':
    '启动 dispatcher:它会检查每个索引,启动十分钟后重新启用;若已有一个在运行,其日志会说明未登记的原因',
  'and messages to more than {} clients who are offline are refused with 503':
    '发给超过 {0} 个离线客户端的消息会被拒绝(503)',
  'waits for its check': '等待检查',
  '{} of {} parts checked': '共 {1} 份,已检查 {0} 份',
  'pushes to channels are walked while their index is checked, {}: app {}{}: {}':
    '索引检查期间,按频道的推送会逐台查找,{0*}:应用 {1}{2*}:{3*}',
  '{} and {} others': '{0} 等(另有 {1} 个)',
  'every index of a column is whole': '每个字段索引都完整',
  'the index of {} is not whole after an hour': '{0*}的索引一小时后仍不完整',
  'which columns are indexed is not known any more, because the record in Redis was damaged: pushes walk':
    'Redis 中的记录已损坏,无法得知哪些字段有索引:推送会逐台查找',
  'declare them again: pushfleet indexes add APP_ID COLUMN': '重新声明:pushfleet indexes add APP_ID COLUMN',
  'column {} of app {}{}': '字段 {0}(应用 {1}{2*})',
  'pushes walk while their index is made: {}: {} of {} parts':
    '索引建立期间推送会逐台查找:{0*}:共 {2} 份,已完成 {1} 份',
  'no push of the last day wanted an index that is not there': '最近一天没有推送需要尚不存在的索引',
  'a push of {} read all {} installations, because {} is not indexed':
    '{0} 的推送读取了全部 {1} 台设备,因为 {2} 没有索引',
  'unless such pushes are for many devices: {}': '除非此类推送面向大量设备:{0}',
  '{} installations, {} MB, {} of what it may have': '{0} 台设备,{1} MB,占上限的 {2}',
  '{}; {} unconfirmed, {} evicted so far': '{0*};{1} 台未确认,至今已移除 {2} 台',
  'pushfleet apps update {} --installations N --installations-bytes N; if it is a flood, rotate the app key':
    'pushfleet apps update {0} --installations N --installations-bytes N;若为恶意注册,请更换 App Key',
  '{}: new devices are refused': '{0*}:新设备会被拒绝',
  '{}: new devices take the place of unconfirmed ones': '{0*}:新设备会取代未确认的设备',
  'there is no app: every push is refused with 401': '没有任何应用:所有推送都会被拒绝(401)',
  'pushfleet apps create; if there were apps, Redis has lost its data: restore the backup (docs/operate.md#redis)':
    'pushfleet apps create;若此前有应用,则 Redis 已丢失数据:请恢复备份(docs/operate.md#redis)',
  'all can be read': '全部可读',
  'its record in Redis is damaged: nothing of it is served': '它在 Redis 中的记录已损坏:无法提供服务',
  'put it back from a backup of Redis: it is the field of that name in the hash `apps`':
    '从 Redis 备份恢复:它是 hash `apps` 中的同名字段',
  'push to every device of it': '向其全部设备推送',
  'list its devices, and receive their messages in their place': '列出其设备,并代替它们接收消息',
  'read what was pushed, and to whom': '读取推送的内容和对象',
  'off: that needs the master key': '已关闭:需要 Master Key',
  '{} is on: whoever has the app may {}': '{0} 已开启:任何拥有应用的人都可以{1*}',
  'pushfleet apps rotate-key {} {}; builds in the field keep the old app key':
    'pushfleet apps rotate-key {0} {1};已发布的安装包仍使用旧的 App Key',
  'long enough': '长度足够',
  'fewer than {} characters: {}': '少于 {0} 个字符:{1}',
  'protected, or not used by recent pushes': '已受保护,或最近的推送未使用',
  'pushes go to channels, and whoever has the app may subscribe to any of them':
    '推送以频道为目标,而任何拥有应用的人都可以订阅任意频道',
  'where a channel stands for a user: pushfleet apps update {} --master-only-channels PREFIXES':
    '若频道代表用户:pushfleet apps update {0} --master-only-channels PREFIXES',
  'ADMIN_TOKEN has fewer than {} characters': 'ADMIN_TOKEN 少于 {0} 个字符',
  'make one: openssl rand -hex 24': '生成一个:openssl rand -hex 24',
  'the address that {} trusted proxies report counts': '以 {0} 层受信任代理报告的地址为准',
  'none is trusted: saves and queries from private addresses are not counted':
    '不信任任何代理:来自私有地址的保存和查询不计数',
  'TLS ends in front of the fleet, but TRUSTED_PROXY_HOPS is 0: a proxy at a private address is not counted, one at a public address counts as one caller':
    'TLS 在集群之前终止,但 TRUSTED_PROXY_HOPS 为 0:私有地址的代理不计数,公网地址的代理算作一个调用方',
  'set TRUSTED_PROXY_HOPS to the number of proxies, the same for every service':
    '将每个服务的 TRUSTED_PROXY_HOPS 设为代理层数',
  'connections count for the addresses that they come from': '连接按其来源地址计数',
  'TLS ends in front of {}, but PROXY_HOPS is 0: all devices count as one address, and those beyond CONNECTIONS_PER_ADDRESS are cut off':
    'TLS 在 {0} 之前终止,但 PROXY_HOPS 为 0:所有设备算作一个地址,超出 CONNECTIONS_PER_ADDRESS 的连接会被切断',
  'set PROXY_HOPS of every gateway to the number of proxies; where it shares a port with the ingress, TRUSTED_PROXY_HOPS':
    '将每个 gateway 的 PROXY_HOPS 设为代理层数;若与 ingress 共用端口,则设置 TRUSTED_PROXY_HOPS',
};
