import type { Sentences } from './sentences';

/** What discards, failures and waits mean, and what to do. */
export const REASONS_ZH: Sentences = {
  'Nothing.': '无需处理。',
  'The message was silent, and this vendor has no silent messages.': '这是静默消息,而该厂商不支持静默消息。',
  'Send a text that may be shown, or reach these devices while the app is open.':
    '发送可显示的内容,或在应用打开时送达这些设备。',
  'The message is larger than this vendor takes.': '消息超过该厂商允许的大小。',
  'Shorten the text or the attributes; docs/vendors.md has the limit of each vendor.':
    '缩短内容或自定义属性;各厂商的限制见 docs/vendors.md。',
  'The package name in the profile or in the message is longer than 128 bytes.': '配置或消息中的包名超过 128 字节。',
  'Correct the package name.': '更正包名。',
  'The devices name a profile in `deviceProfile` that the app does not have for their vendor.':
    '设备的 `deviceProfile` 指定的配置在应用的该厂商下不存在。',
  'Save the profile with its credentials, then push again.': '保存该配置及其凭证,然后重新推送。',
  'The channel discarded its work because an operator said so, or no worker serves it.':
    '运维人员要求通道丢弃任务,或没有工作进程为其服务。',
  'Ask the operator; push again when the channel is open.': '联系运维人员;通道恢复后重新推送。',
  'There is no channel for the `vendor` of these devices.': '这些设备的 `vendor` 没有对应的通道。',
  'Nothing, unless `vendor` is misspelt on the device.': '无需处理,除非设备上的 `vendor` 拼写有误。',
  'The devices are iOS devices, which are stored and not served.': '这些是 iOS 设备,只保存,不推送。',
  'The device names a vendor and has no registrationId.': '设备指定了厂商,但没有 registrationId。',
  'Check that the app on the device registers with its vendor and saves the registrationId.':
    '检查设备上的应用是否向厂商注册并保存了 registrationId。',
  'The vendor said that it no longer knows the registration: the app was removed, or its token was replaced.':
    '厂商表示该注册已不存在:应用已卸载,或令牌已更换。',
  'Nothing here. The device is reached again when the app saves a new registrationId.':
    '此处无需处理。应用保存新的 registrationId 后,设备可再次送达。',
  'The user switched notifications of the app off, or the vendor closed the device for now.':
    '用户关闭了应用的通知,或厂商暂时停止向该设备推送。',
  'Nothing by push; the app may ask its user.': '无法通过推送解决;应用可提示用户开启。',
  'The device has had as many messages of this kind as its vendor allows for the time.':
    '该设备在此时段收到的此类消息已达厂商上限。',
  'Send fewer, later, or in a class of messages with a higher allowance.':
    '减少发送、推迟发送,或使用配额更高的消息类别。',
  'The allowance of the profile at its vendor, or the daily limit of the app, is used up.':
    '配置在厂商处的配额或应用的每日上限已用完。',
  'Wait for the next day, or raise the allowance: at the vendor, or in the settings of the app.':
    '等到第二天,或提高配额:在厂商处,或在应用设置中。',
  'The push expired before it could be handed to the vendor.': '推送在交给厂商之前已过期。',
  'Push again, with a later expiry. What made it wait stands in `waiting` while a push is under way.':
    '设置更晚的过期时间后重新推送。推送进行期间,等待的原因见 `waiting`。',
  'The push was cancelled before these devices had their turn.': '轮到这些设备之前,推送已被取消。',
  'The vendor refused the credentials of the profile.': '厂商拒绝了配置的凭证。',
  'Correct the profile, test it, then push again.': '更正配置并测试,然后重新推送。',
  'The vendor, or a rule that is known of it, refused this message.': '厂商或其已知规则拒绝了此消息。',
  'Read `vendorCode` and `vendorMessage`, and change the message.': '查看 `vendorCode` 和 `vendorMessage`,并修改消息。',
  'The vendor could not be reached until the push expired.': '直到推送过期都无法连接厂商。',
  'Check the way out of the network and the state of the vendor, then push again.':
    '检查出口网络和厂商状态,然后重新推送。',
  'The vendor answered with an error of its own until the push expired.': '直到推送过期,厂商一直返回其自身的错误。',
  'Push again later; if it lasts, ask the vendor with `vendorCode` and the time.':
    '稍后重新推送;若持续存在,请提供 `vendorCode` 和时间联系厂商。',
  'The vendor may have taken the message, but its answer never came. A repeat could have alerted twice.':
    '厂商可能已接受消息,但没有收到其回应。重发可能造成重复提醒。',
  'Push again only to whom a second alert does no harm.': '仅向重复提醒无妨的设备重新推送。',
  'The vendor answered with a code that nobody knows, until the push expired or its wait ended.':
    '直到推送过期或等待结束,厂商一直返回未知的代码。',
  'Look the code up at the vendor, and report it: a later version should know it.':
    '向厂商查询该代码并反馈:后续版本应能识别它。',
  'pushfleet itself failed.': 'pushfleet 自身出错。',
  'Look into the log of the worker at the time of the push, and report what it says.':
    '查看推送时工作进程的日志,并反馈其内容。',
  'An operator paused the channel.': '运维人员暂停了通道。',
  'Resume the channel.': '恢复通道。',
  'An operator drains the channel: pushes accepted before that are sent, this one waits.':
    '运维人员正在对通道收尾:此前接受的推送继续发送,这一条等待。',
  'Resume the channel when what it was drained for is done.': '收尾的目的达到后恢复通道。',
  'The vendor failed again and again; one call at a time tries whether it is back.':
    '厂商连续失败;每次用一个请求试探其是否恢复。',
  'Nothing, if the vendor is down. Else check the way out of the network.': '若厂商故障则无需处理;否则检查出口网络。',
  'The vendor answers with a code that nobody knows; the push is held before more devices meet it.':
    '厂商返回未知的代码;推送已暂停,以免影响更多设备。',
  'Look the code up at the vendor, then resume the channel or cancel the push. After an hour it goes on by itself.':
    '向厂商查询该代码,然后恢复通道或取消推送。一小时后会自行继续。',
  'The vendor asked for a pause; on the own channel, Redis is nearly full.':
    '厂商要求暂停;若为自有通道,则 Redis 即将写满。',
  'Nothing: it goes on by itself. On the own channel, give Redis more memory.':
    '无需处理:会自行继续。若为自有通道,请为 Redis 增加内存。',
  'The allowance of the profile at its vendor is used up until the vendor counts anew.':
    '配置在厂商处的配额已用完,需等待厂商重新计数。',
  'Nothing, or raise the allowance at the vendor.': '无需处理,或在厂商处提高配额。',
  'The vendor could not be reached, or gave no usable answer; these devices are tried again.':
    '无法连接厂商,或其回应不可用;将对这些设备重试。',
  'Nothing: it goes on by itself. If it lasts, check the way out of the network and the state of the vendor.':
    '无需处理:会自行继续。若持续存在,请检查出口网络和厂商状态。',
  'The rate or the daily budget of the profile, or the pace of the push itself, makes the rest wait.':
    '配置的速率或每日预算,或推送自身的速度,使其余部分等待。',
  'Nothing, or raise the budget.': '无需处理,或提高预算。',
  'The vendor was called and has not answered yet.': '已调用厂商,尚未收到回应。',
};
