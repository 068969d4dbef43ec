import type { Sentences } from './sentences';

/** What the console has against what is named or asked for: apps, channels, devices, pushes. */
export const THINGS_ZH: Sentences = {
  'must be 6 to 128 visible ASCII characters without commas': '必须为 6 至 128 个可见 ASCII 字符,不含逗号',
  'must be 9 to 64 letters, digits, - or _': '必须为 9 至 64 个字母、数字、- 或 _',
  'must differ from key': '必须与 key 不同',
  'switch hybrid off first: it needs the commercial edition': '请先关闭混合推送:它需要商用版',
  'hybrid needs the commercial edition': '混合推送需要商用版',
  'there is no app {}': '没有应用 {0}',
  'an app with the id {} exists': '已有 ID 为 {0} 的应用',
  'no {} that was replaced is taken for the app {}': '应用 {1} 没有仍在接受的旧 {0}',
  'there is no channel {}; known are: {}': '没有通道 {0};已知通道:{1}',
  'the app {} has no profile {} for the channel {}': '应用 {0} 在通道 {2} 没有配置 {1}',
  'must be a letter, then at most 63 letters, digits and underscores; or _default':
    '必须以字母开头,其后最多 63 个字母、数字和下划线;或为 _default',
  'the stored profile is no longer valid: save it again': '已保存的配置不再有效,请重新保存',
  '{} keeps the stored value, and there is none': '{0} 表示沿用已保存的值,但没有已保存的值',
  'the address has {} bytes and {} takes {}: shorten INGRESS_PUBLIC_URL or the names in it':
    '地址有 {0} 字节,而 {1} 最多允许 {2} 字节:请缩短 INGRESS_PUBLIC_URL 或其中的名称',
  'no answer within {} ms': '{0} 毫秒内没有回应',
  '{}{} devices wait (pushes: {}), and {}; nothing was discarded':
    '{0}{1*} 台设备等待(推送:{2}),而{3*};没有丢弃任何内容',
  'confirm says how many may be discarded': '需用 confirm 说明最多可丢弃多少',
  'confirm allows {}': 'confirm 允许 {0}',
  'app {} has no installation {}': '应用 {0} 没有设备 {1}',
  'no installation has this objectId or installationId: {}': '没有设备使用此 objectId 或 installationId:{0}',
  'installation {} has no registrationId that could be retired': '设备 {0} 没有可停用的 registrationId',
  'the app {} has no index of the column {}': '应用 {0} 没有字段 {1} 的索引',
  'the index of {} is being removed: make it again when it is gone': '{0} 的索引正在删除:删除后再重新建立',
  'the app has {} {}, and no more are kept: remove one': '应用已有 {0} 个 {1},不能再多:请删除一个',
  'the app {} has no push {}': '应用 {0} 没有推送 {1}',
  'the app {} has no push {} to cancel': '应用 {0} 没有可取消的推送 {1}',
  '{} is no id of a push': '{0} 不是推送 ID',
  'there is no such pre-flight': '没有这次预检',
  'these are not all devices of the push: it is not done, or its oldest outcomes were dropped':
    '这不是该推送的全部设备:推送尚未完成,或最早的结果已被清除',
  'goes with limit, status and from-service: what is searched for goes on with its cursor':
    '仅可与 limit、status 和 from-service 一起使用:搜索请用其 cursor 继续',
  'there may be at most {} tokens; remove those that expired': '最多 {0} 个令牌;请删除已过期的',
  'there is no token {}': '没有令牌 {0}',
  'there is a person {}': '已有成员 {0}',
  'there may be at most {} people': '最多 {0} 名成员',
  'there is no person {}': '没有成员 {0}',
  'there is no client {}': '没有客户端 {0}',
  'client_id: there is no such client': 'client_id:没有这个客户端',
  'there is no user {}': '没有用户 {0}',
  'there is no such user': '没有这个用户',
  'there is a {} {} already: nothing was changed': '已有 {0} {1}:未作任何更改',
  'the access token or key id belongs to another token': 'access token 或 key id 属于另一个令牌',
  'this token was made invalid before: issue a new one': '此令牌已失效:请签发新的',
  'the console has the key {}, and {} living processes do not: {}; give them the same SECRET_KEY and restart them, or stop them (a killed one counts for 15 s)':
    '控制台使用密钥 {0},而 {1} 个运行中的进程不是:{2};请为它们设置相同的 SECRET_KEY 并重启,或停止它们(被终止的进程 15 秒后不再计入)',
  // What became of a device
  'The installation is not valid.': '设备已停用。',
  'The installation is not in the audience as it is now.': '按现在的状态,设备不在推送目标中。',
  'The installation is not in the audience as it is now. The installation was saved since, and what it was at the time of the push is not kept.':
    '按现在的状态,设备不在推送目标中。设备此后有过保存,推送时的状态没有保留。',
  'The push was not dispatched yet.': '推送尚未分派。',
  'The push was not dispatched yet; as things are, it will not reach this installation.':
    '推送尚未分派;按现在的情况,不会送达此设备。',
  'The list of devices of this push was long and is not kept: if this installation was on it, it was accepted.':
    '此推送的设备列表很长,没有保留:若设备在其中,则已被接受。',
  'The installation was saved since, and what it was at the time of the push is not kept.':
    '设备此后有过保存,推送时的状态没有保留。',
  'If the installation was in the audience, it was accepted. {}': '若设备在推送目标中,则已被接受。{0*}',
  'No refusal of this installation was kept: it was accepted or still waits. Refusals are kept for the first {} installations of a push.':
    '没有保留此设备被拒绝的记录:它已被接受,或仍在等待。每条推送只保留前 {0} 台设备的拒绝记录。',
  'The record names every installation that was refused, and not this one: it was accepted.':
    '记录列出了所有被拒绝的设备,不包括这一台:它已被接受。',
  'The push matched no installation.': '推送没有匹配任何设备。',
  'Every installation that the push matched was refused, and this one is not among them.':
    '推送匹配的设备全部被拒绝,这一台不在其中。',
  'The record does not name every installation that was refused: this one was accepted, still waits, or is one of {}.':
    '记录没有列出所有被拒绝的设备:这一台已被接受、仍在等待,或属于以下之一:{0}。',
  // Pushes
  'must be an integer from 0 to 99 or "Increment"': '必须为 0 至 99 的整数或 "Increment"',
  'must be 1 to 16 letters and digits': '必须为 1 至 16 个字母和数字',
  'must be a positive number of seconds, at most {}': '必须为正数秒,最多 {0}',
  'must be "dev" or "prod"': '必须为 "dev" 或 "prod"',
  'must be "wait" or "discard"': '必须为 "wait" 或 "discard"',
  'must be a number of devices per second': '必须为每秒设备数',
  'at most {} characters': '最多 {0} 个字符',
  'at most {}': '最多 {0}',
  'names nobody': '没有指定任何人',
  'must be "android" or "ios"': '必须为 "android" 或 "ios"',
  'is empty: the push is for nobody': '为空:推送没有目标',
  'is not read here; POST /1.1/push/devices reads it': '此处不使用;请用 POST /1.1/push/devices',
  'is not read here; POST /1.1/push/installations reads it': '此处不使用;请用 POST /1.1/push/installations',
  'expiration_time and expiration_interval exclude each other': 'expiration_time 和 expiration_interval 不能同时使用',
  'where: an empty list says nothing; leave it out to push to everybody': 'where:空列表没有意义;要推送给所有人请省略它',
  'where and cql exclude each other': 'where 和 cql 不能同时使用',
  'cql: must be a query for all matching objects of _Installation': 'cql:必须为查询 _Installation 全部匹配对象的语句',
  'is past (read as {}): the push is sent at once': '已是过去的时间(读作 {0}):推送会立即发送',
  'has no zone: read as {}': '没有时区:读作 {0}',
  'is a reserved name: vendors do not get it as an attribute': '是保留名称:不会作为属性发给厂商',
  'vendors show nothing without text, and discard the message': '没有内容时厂商不显示任何东西,并丢弃消息',
  'has no body': '没有内容',
  'is empty': '为空',
};
