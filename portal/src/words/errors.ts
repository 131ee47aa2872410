import { words } from './words.ts';

/** By code: what each error of the service means. Held to the service's own catalogue by a test. */
export const errorWords = words({
  '4000': [
    'A value in the body, path or filter is missing or invalid, or the HTTP request is malformed.',
    '请求体、路径或筛选条件中的值缺失或无效，或 HTTP 请求格式有误。',
  ],
  '4002': [
    'The body is not valid UTF-8 JSON, or is not a JSON object.',
    '请求体不是有效的 UTF-8 JSON，或不是 JSON 对象。',
  ],
  '4010': [
    'The bearer token or refresh token is missing, invalid or expired.',
    '访问令牌或刷新令牌缺失、无效或已过期。',
  ],
  '4011': ['A signature header is missing, repeated or misshaped.', '签名请求头缺失、重复或格式有误。'],
  '4012': ['The API key is unknown or the signature does not match.', 'API 密钥不存在，或签名不匹配。'],
  '4013': [
    'X-Timestamp is more than 300 seconds away from the server clock.',
    'X-Timestamp 与服务器时间相差超过 300 秒。',
  ],
  '4014': ['The nonce was used before with this key.', '该密钥已使用过这个 nonce。'],
  '4015': ['The API key is disabled or revoked.', 'API 密钥已停用或已吊销。'],
  '4016': ['The API key has expired.', 'API 密钥已过期。'],
  '4017': ['The e-mail address or the password is wrong.', '邮箱或密码错误。'],
  '4018': [
    'A code of the second factor is wanted, or the one that was sent is wrong or was used before.',
    '需要两步验证码，或提交的验证码错误或已使用过。',
  ],
  '4030': [
    'The caller may not do this here, or the Turnstile verification failed.',
    '无权执行此操作，或人机验证未通过。',
  ],
  '4031': [
    'The API key does not have the scope that this endpoint requires.',
    'API 密钥没有该接口所需的权限范围。',
  ],
  '4032': [
    'The client address is not on the IP whitelist of the API key.',
    '客户端地址不在 API 密钥的 IP 白名单中。',
  ],
  '4033': [
    'TEST keys may only be made, enabled, rotated or allowed more on a partner portal.',
    'TEST 密钥只能在合作方门户上创建、启用、轮换或扩大权限。',
  ],
  '4040': ['The resource does not exist.', '资源不存在。'],
  '4041': ['No endpoint has this path.', '没有该路径的接口。'],
  '4050': [
    'The endpoint does not take this method; the Allow header lists those it takes.',
    '接口不支持该方法；支持的方法见 Allow 响应头。',
  ],
  '4080': ['The request did not arrive in time.', '请求未能及时送达。'],
  '4090': [
    'The request conflicts with the current state, or one with the same idempotency key is under way; then Retry-After says when to try again.',
    '请求与当前状态冲突，或相同幂等键的请求正在处理；此时 Retry-After 说明何时重试。',
  ],
  '4091': [
    'The resource cannot go from its current status to the wanted one.',
    '资源无法从当前状态变更为目标状态。',
  ],
  '4092': [
    'The previous secret of the API key is still in its grace period.',
    'API 密钥的旧密钥值仍在宽限期内。',
  ],
  '4093': ['The workspace has as many API keys as it may have.', '工作区的 API 密钥数量已达上限。'],
  '4094': [
    'The last active owner of a workspace can neither leave nor lose the role.',
    '工作区最后一位有效的所有者不能离开，也不能更换角色。',
  ],
  '4095': [
    'The files of the institution have as many bytes as they may have.',
    '机构的文件存储空间已达上限。',
  ],
  '4096': ['The workspace has as many of these as it may have.', '工作区中此类对象的数量已达上限。'],
  '4130': ['The body is larger than the endpoint takes.', '请求体超过接口允许的大小。'],
  '4140': ['The request target is too long.', '请求地址过长。'],
  '4150': [
    'The body is not of the media type that the endpoint takes.',
    '请求体的媒体类型不是接口支持的类型。',
  ],
  '4160': [
    'The file has none of the bytes that Range asks for; Content-Range says how many it has.',
    '文件没有 Range 所请求的字节；文件大小见 Content-Range。',
  ],
  '4220': ['The idempotency key was used before with another body.', '该幂等键已用于另一个请求体。'],
  '4290': [
    'Too many requests; Retry-After says when to try again.',
    '请求过于频繁；Retry-After 说明何时重试。',
  ],
  '4310': ['The request headers are too large.', '请求头过大。'],
  '5000': ['The service failed. Quote the request id when you report it.', '服务出错。反馈时请提供请求 ID。'],
  '5030': [
    'The service is stopping, has more to do than it can, or a part it depends on is away; try again.',
    '服务正在停止、过载，或其依赖的组件不可用；请重试。',
  ],
  '5031': [
    'The Turnstile verification could not be carried out; try again.',
    '暂时无法进行人机验证；请重试。',
  ],
  'VALIDATION.INVALID_PARAMETER': ['page, size or sort is invalid.', 'page、size 或 sort 无效。'],
});
