import type { Sentences } from './sentences';

/** What the doctor finds, and what to do about it. */
export const FINDINGS_ZH: Sentences = {
  'each of them is well': '均正常',
  // Redis
  'tells no version': '未报告版本',
  'is {}': '版本为 {0}',
  'upgrade to Redis {}.0 or later, or Valkey': '升级到 Redis {0}.0 或更高版本,或使用 Valkey',
  'takes writes': '可以写入',
  'refuses every write, so nothing is accepted and nothing goes on: {}':
    '拒绝所有写入,因此无法接受推送,任务也无法继续:{0}',
  'raise maxmemory, or add masters, or remove installations': '调高 maxmemory、增加主节点或删除设备',
  'see the log of Redis; most often the disk is full': '查看 Redis 日志;最常见的原因是磁盘已满',
  'bring its replicas back; min-replicas-to-write says how many it wants':
    '恢复其副本;min-replicas-to-write 规定了所需数量',
  'it is a replica: let REDIS_URL lead to the master': '这是副本:请让 REDIS_URL 指向主节点',
  'see the log of Redis': '查看 Redis 日志',
  'set requirepass, or users with ACL, and put the password into REDIS_URL':
    '设置 requirepass 或 ACL 用户,并将密码写入 REDIS_URL',
  'asks for a password, or is on this machine alone': '需要密码,或仅限本机访问',
  'is reached over a network without a password: whoever reaches it owns the fleet':
    '可通过网络无密码访问:任何能连接的人都能控制整个集群',
  'may run what a fleet runs{}': '可以执行集群所需的命令{0*}',
  ', without {}': ',但缺少 {0}',
  'the user of REDIS_URL may not run {}: what needs it fails': 'REDIS_URL 的用户不能执行 {0}:需要它的操作会失败',
  'ACL SETUSER NAME {}; docs/operate.md lists all that it needs': 'ACL SETUSER NAME {0};全部所需权限见 docs/operate.md',
  'maxmemory-policy is {}: a full Redis throws away accepted pushes':
    'maxmemory-policy 为 {0}:Redis 写满时会丢弃已接受的推送',
  'CONFIG SET maxmemory-policy noeviction, and the same in redis.conf':
    '执行 CONFIG SET maxmemory-policy noeviction,并在 redis.conf 中作相同设置',
  'maxmemory is not set: Redis grows until the system kills it': '未设置 maxmemory:Redis 会一直增长,直到被系统终止',
  'CONFIG SET maxmemory to at most 70 % of the memory of the machine, and the same in redis.conf':
    '用 CONFIG SET 将 maxmemory 设为不超过机器内存的 70 %,并在 redis.conf 中作相同设置',
  '{} of {} MB used': '已使用 {1} MB 中的 {0}',
  '{}: pushes and saves are refused': '{0*}:推送和保存会被拒绝',
  '{}: imports and mailboxes have stopped': '{0*}:导入和信箱已停止',
  'raise maxmemory, or add masters, before it reaches {}': '在达到 {0} 之前调高 maxmemory 或增加主节点',
  'no accepted push': '不会丢失已接受的推送',
  'up to about a second': '最多丢失约一秒的数据',
  'an unknown part': '丢失的数据量未知',
  'not told': '未知',
  'appendonly, appendfsync {}: a crash of its machine loses {}': 'appendonly,appendfsync {0*}:机器崩溃时{1*}',
  'does not tell whether it persists': '未报告是否持久化',
  'make sure that the service keeps an append-only file': '确认该服务保留 append-only 文件',
  'appendonly is off: a restart loses what was accepted since the last snapshot':
    'appendonly 已关闭:重启会丢失上次快照之后接受的内容',
  'CONFIG SET appendonly yes, and the same in redis.conf':
    '执行 CONFIG SET appendonly yes,并在 redis.conf 中作相同设置',
  'the append-only file could not be written': '无法写入 append-only 文件',
  'appendfsync is no: a crash loses up to half a minute': 'appendfsync 为 no:崩溃最多丢失半分钟的数据',
  'CONFIG SET appendfsync everysec, or always': '执行 CONFIG SET appendfsync everysec 或 always',
  'ahead of': '快',
  behind: '慢',
  '{} ms {} the console': '比控制台{1*} {0} 毫秒',
  'run chrony or another NTP client on both machines': '在两台机器上运行 chrony 或其他 NTP 客户端',
  '{}: times that senders name are reached {}, and signed requests and right credentials may be refused':
    '{0*}:会{1*}到达发送方指定的时间,签名请求和正确的凭证可能被拒绝',
  'too late': '过晚',
  'too early': '过早',
  // Format
  'until then no process starts': '在此之前没有进程能够启动',
  'start the console of the version that the other processes have': '启动与其他进程版本相同的控制台',
  'restart the console with the version that the others have': '用与其他进程相同的版本重启控制台',
  'restart every process with the new version; a dispatcher goes on by itself: docs/upgrade.md':
    '用新版本重启每个进程;dispatcher 会自行继续:见 docs/upgrade.md',
  'nothing; a dispatcher is at work': '无需处理;dispatcher 正在进行',
  'format {}': '格式 {0}',
  'this process is of format {} and runs beside those of format {}': '此进程的格式为 {0},与格式为 {1} 的进程同时运行',
  'this process is of format {} and runs beside those of format {}; {} makes it format {}: {}':
    '此进程的格式为 {0},与格式为 {1} 的进程同时运行;{2} 会将其转为格式 {3}:{4*}',
  '{} of {} parts are done': '共 {1} 份,已完成 {0} 份',
  'it waits for {}': '正在等待 {0}',
  // Processes
  'none lives: nobody takes pushes and saves': '没有运行中的进程:无法接受推送和保存',
  'start an ingress': '启动 ingress',
  'none lives: accepted pushes are not planned': '没有运行中的进程:已接受的推送无法分派',
  'start a dispatcher': '启动 dispatcher',
  'none lives: devices of the own channel cannot connect': '没有运行中的进程:自有通道的设备无法连接',
  'start a gateway, unless no build uses it': '启动 gateway,除非没有安装包使用它',
  'none lives: nobody answers who a user is': '没有运行中的进程:无法查询用户信息',
  'start a user-info, unless nobody asks': '启动 user-info,除非无人查询',
  'none is seen: no process can write that it lives': '看不到任何进程:进程无法写入其存活状态',
  'see redis-writes, and look again afterwards': '先处理 redis-writes,然后再检查',
  '{} at work': '{0} 个进程在运行',
  'restart those of the other version, all but the newest': '重启其他版本的进程(最新版本除外)',
  'give every process the same SECRET_KEY, and restart it': '为每个进程设置相同的 SECRET_KEY 并重启',
  'nobody tells any': '没有进程报告',
  'differ: {}; fine only while one replaces the other': '不一致:{0};仅在更替期间属于正常',
  'at most {} ms from the clock of Redis': '与 Redis 时钟相差最多 {0} 毫秒',
  '{} s ahead of': '快 {0} 秒',
  '{} s behind': '慢 {0} 秒',
  '{} is {} Redis: it goes by the clock of Redis, and what waits for its time may be late':
    '{0} 的时钟与 Redis 相比{1*}:它以 Redis 的时钟为准,定时任务可能延迟',
  'Redis is {} most processes, which go by its clock: times that senders name are taken for others':
    'Redis 的时钟与多数进程相比{0*},而进程以 Redis 为准:发送者指定的时间会被误认为其他时间',
  'run chrony or another NTP client on its machine': '在其机器上运行 chrony 或其他 NTP 客户端',
  'run chrony or another NTP client on the machine of Redis; if that clock is right, on those of the processes':
    '在 Redis 的机器上运行 chrony 或其他 NTP 客户端;若该时钟正确,则在各进程的机器上运行',
  'holds until {}': '有效期至 {0}',
  'ran out at {}: nobody can connect who checks it': '已于 {0} 到期:校验证书的客户端都无法连接',
  'runs out at {}': '将于 {0} 到期',
  'renew it in TLS_CERT_FILE and TLS_KEY_FILE: a process reads both again by itself':
    '在 TLS_CERT_FILE 和 TLS_KEY_FILE 中更新:进程会自行重新读取',
  // Secrets and profiles
  'give the console the SECRET_KEY of the other processes, and restart it':
    '为控制台设置与其他进程相同的 SECRET_KEY 并重启',
  'opens nothing that the fleet seals': '无法解开集群加密的任何内容',
  'opens all {} secrets, and sealed every one of them': '可解开全部 {0} 个密钥,且均由它加密',
  'opens {} of {} secrets': '可解开 {1} 个密钥中的 {0} 个',
  'set SECRET_KEY_PREVIOUS of every process to the key that was used before, and restart them':
    '将每个进程的 SECRET_KEY_PREVIOUS 设为此前使用的密钥并重启',
  '{} of {} secrets were altered, or stand in the place of others': '{1} 个密钥中有 {0} 个被改动,或处于其他密钥的位置',
  'no key opens them: save the profiles, keys and tokens again that the logs name':
    '没有密钥能解开它们:请重新保存日志中列出的配置、密钥和令牌',
  '{} records of MAC tokens are damaged': '{0} 条 MAC 令牌记录已损坏',
  'delete the keys that `pushfleet secrets status` names: whoever had such a token signs in again':
    '删除 `pushfleet secrets status` 列出的键:持有此类令牌的用户需重新登录',
  '{} of {} secrets are sealed with the previous key': '{1} 个密钥中有 {0} 个由旧密钥加密',
  'once every process has the new key: `pushfleet secrets reseal`; until then keep SECRET_KEY_PREVIOUS':
    '每个进程都使用新密钥后,执行 `pushfleet secrets reseal`;在此之前保留 SECRET_KEY_PREVIOUS',
  '{} of {} secrets are sealed as an earlier release did, not bound to their places':
    '{1} 个密钥中有 {0} 个按旧版本的方式加密,未与其位置绑定',
  'once every process is of this release: `pushfleet secrets reseal`':
    '每个进程都升级到此版本后,执行 `pushfleet secrets reseal`',
  'what Redis says of a reseal is damaged ({})': 'Redis 中关于重新加密的记录已损坏({0})',
  'no secret depends on it; `pushfleet secrets reseal` writes it anew':
    '没有密钥依赖它;`pushfleet secrets reseal` 会重新写入',
  'try them one by one: `pushfleet profiles test`': '逐个测试:`pushfleet profiles test`',
  '{} profiles were not tried for want of time': '{0} 个配置因时间不足未测试',
  'is of a channel that this version does not have': '所属通道在此版本中不存在',
  'delete the profile': '删除该配置',
  'is not valid any more': '已不再有效',
  'save it again: `pushfleet profiles put`': '重新保存:`pushfleet profiles put`',
  'the vendor takes it{}': '厂商接受此凭证{0}',
  'the vendor cannot be reached: {}': '无法连接厂商:{0}',
  'check the network, DNS and proxies between the console and the vendor': '检查控制台与厂商之间的网络、DNS 和代理',
  'the vendor takes nothing of it now ({}): {}': '厂商暂不接受它的请求({0}):{1}',
  'wait until the vendor counts anew, or raise the allowance there': '等待厂商重新计数,或在厂商处提高配额',
  'the vendor is in trouble: {}': '厂商出现故障:{0}',
  'try it again later: `pushfleet profiles test`; if it lasts, ask the vendor':
    '稍后重试:`pushfleet profiles test`;若持续存在,请联系厂商',
  'the vendor refuses it: {}': '厂商拒绝此凭证:{0}',
  "compare it with the vendor's developer console and save it again: `pushfleet profiles put`":
    '与厂商开发者后台核对后重新保存:`pushfleet profiles put`',
};
