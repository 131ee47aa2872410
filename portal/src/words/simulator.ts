import { words } from './words.ts';

/** Whether a call would pass, in the drawer of a key. */
export const simulatorWords = words({
  title: ['Would this call pass?', '这个调用能通过吗？'],
  about: [
    'Judges a call without sending it: the endpoint, and what the key may do at that time and from that address. Signature, nonce and rate are not judged.',
    '无需真正发送即可判断一次调用：接口是否存在，以及此密钥在该时间、该地址有何权限。不检查签名、nonce 和频率限制。',
  ],
  method: ['Method', '方法'],
  path: ['Path', '路径'],
  address: ['From address', '来源地址'],
  time: ['Time', '时间'],
  timeUtc: ['Time, UTC', '时间 (UTC)'],
  timeAbout: ['now unless given', '留空即为现在'],
  check: ['Check', '检查'],
  pathWrong: ['It begins with /api/', '必须以 /api/ 开头'],
  addressWrong: ['One IPv4 or IPv6 address', '请填写一个 IPv4 或 IPv6 地址'],
  passes: ['This call would pass', '此调用会通过'],
  refused: [
    (code: string) => `This call would be refused with ${code}`,
    (code: string) => `此调用会被拒绝，错误码 ${code}`,
  ],
  checks: ['Checks', '检查项'],
  route: ['Endpoint', '接口'],
  status: ['Key', '密钥'],
  ip: ['Address', '地址'],
  scope: ['Scope', '权限范围'],
  good: ['Passes', '通过'],
  bad: ['Refused', '拒绝'],
  open: ['Not judged', '未判断'],
  routeFound: [(call: string) => `${call} is an endpoint`, (call: string) => `${call} 是有效接口`],
  routeUnknown: ['No endpoint has this path', '没有此路径的接口'],
  methodUnknown: [
    (method: string) => `The endpoint does not take ${method}`,
    (method: string) => `此接口不支持 ${method}`,
  ],
  active: ['The key is active and has not expired', '密钥已启用且未过期'],
  expired: ['The key has expired by then', '届时密钥已过期'],
  inactive: ['The key is disabled or revoked', '密钥已停用或已吊销'],
  addressTaken: [
    (address: string) => `The key may be used from ${address}`,
    (address: string) => `密钥可在 ${address} 使用`,
  ],
  addressRefused: [
    (address: string) => `${address} is not among the addresses of the key`,
    (address: string) => `${address} 不在密钥的 IP 白名单内`,
  ],
  scopeHeld: [
    (scope: string) => `The key has the scope ${scope}`,
    (scope: string) => `密钥具有权限 ${scope}`,
  ],
  scopeAny: ['The key has a scope, and any one will do', '密钥具有权限范围，此接口不限具体权限'],
  scopeMissing: [
    (scope: string) => `The key does not have the scope ${scope}`,
    (scope: string) => `密钥缺少权限 ${scope}`,
  ],
  scopeNone: ['The key has no scope at all', '密钥没有任何权限'],
  scopeOpen: ['There is no endpoint that would require one', '接口不存在，无从判断所需权限'],
});
