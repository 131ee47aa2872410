import { words } from './words.ts';

export const requestWords = words({
  title: ['Requests', '请求'],
  about: [
    'Every signed request that named a key of this workspace, and what became of it',
    '使用此工作区密钥签名的每个请求及其结果',
  ],
  noun: ['request', '请求'],
  none: ['No requests yet', '还没有请求'],
  noneAbout: [
    'What your programs ask of the Open API with a key is listed here a second or two later, also when it is refused.',
    '您的程序使用密钥调用 Open API 后，一两秒内即会显示在此处，被拒绝的请求也会列出。',
  ],
  refresh: ['Refresh', '刷新'],

  result: ['Result', '结果'],
  passed: ['Passed', '成功'],
  refused: ['Refused', '被拒绝'],
  failed: ['Failed', '失败'],
  passedClass: ['Passed (2xx)', '成功 (2xx)'],
  refusedClass: ['Refused (4xx)', '被拒绝 (4xx)'],
  failedClass: ['Failed (5xx)', '失败 (5xx)'],
  key: ['Key', '密钥'],
  code: ['Code', '错误码'],
  requestId: ['Request id', '请求 ID'],
  received: ['Received', '接收时间'],

  asked: ['Asked for', '请求内容'],
  when: ['When', '时间'],
  address: ['From address', '来源地址'],
  took: ['Took', '耗时'],
  status: ['HTTP status', 'HTTP 状态码'],
  mode: ['Mode', '模式'],
  keyId: ['Key id', '密钥 ID'],
  unknownRoute: ['no such endpoint', '无此接口'],
  unknown: ['Not known', '未知'],

  why: ['Why it was refused', '被拒绝的原因'],
  whyFailed: ['Why it failed', '失败的原因'],
  noMeaning: ['This code is not in the catalogue.', '目录中没有此错误码。'],
  whatToDo: ['What to do', '如何处理'],
  simulate: ['Run in the simulator', '在模拟器中检查'],
  debug: ['Open in the signature debugger', '在签名调试器中打开'],
  openKey: ['Open the key', '查看密钥'],
  allOfKey: ['All of this key', '此密钥的全部请求'],
  allOfCode: [(code: string) => `All with ${code}`, (code: string) => `所有 ${code} 的请求`],
  notKept: [
    'Of a request neither its query nor its headers nor its body are kept.',
    '不会保存请求的查询参数、请求头和请求体。',
  ],
});

/** By code: what helps against a refusal. */
export const remedyWords = words({
  '4000': [
    'Read the message of the answer: it names the field and what is wrong with it.',
    '查看响应中的 message，其中说明了有问题的字段和原因。',
  ],
  '4002': [
    'Send a JSON object in UTF-8, and sign the very bytes that are sent.',
    '请发送 UTF-8 编码的 JSON 对象，并对实际发送的字节签名。',
  ],
  '4011': [
    'Send X-Api-Key, X-Timestamp, X-Nonce and X-Signature, each once and in its shape.',
    '请发送 X-Api-Key、X-Timestamp、X-Nonce 和 X-Signature，每个一次且格式正确。',
  ],
  '4012': [
    'Sign the same request in the signature debugger and compare line by line. After a rotation, look whether the old secret is still in use.',
    '在签名调试器中对同一请求签名并逐行比较。若密钥刚轮换过，请检查是否仍在使用旧的密钥值。',
  ],
  '4013': [
    'Set the clock of the machine by NTP, and sign each request right before it is sent.',
    '请通过 NTP 校准机器时钟，并在发送前再签名。',
  ],
  '4014': [
    'Make a new nonce for each request, also when one is sent again.',
    '每个请求（包括重试）都要使用新的 nonce。',
  ],
  '4015': [
    'An owner can enable a disabled key. A revoked one stays revoked: create another.',
    '已停用的密钥可由所有者重新启用；已吊销的无法恢复，请新建密钥。',
  ],
  '4016': ['An owner can give the key a later end.', '所有者可以延长密钥的有效期。'],
  '4031': [
    'An owner can give the key the scope. The simulator says which one it lacks.',
    '所有者可以为密钥添加权限；模拟器会指出缺少哪一项。',
  ],
  '4032': [
    'An owner can add the address to those of the key, if it is yours.',
    '如果这是您自己的地址，所有者可将其加入密钥的 IP 白名单。',
  ],
  '4040': [
    'Look whether the id is right, and whether it is of the mode of the key: a TEST key sees nothing that is LIVE.',
    '请检查 ID 是否正确，以及是否与密钥的模式一致：TEST 密钥看不到 LIVE 数据。',
  ],
  '4041': ['Compare the path with the API reference.', '请对照 API 文档检查路径。'],
  '4050': ['Compare the method with the API reference.', '请对照 API 文档检查请求方法。'],
  '4090': ['Wait as long as Retry-After says, and send it again.', '按 Retry-After 等待后重试。'],
  '4091': [
    'Read the resource again: someone changed it in the meantime.',
    '请重新读取该资源，它的状态可能已被更改。',
  ],
  '4130': ['Send less at once.', '请减小单次发送的数据量。'],
  '4220': [
    'Use a new Idempotency-Key for each thing that is sent, and the same one only for the same body.',
    '不同的请求使用不同的 Idempotency-Key，仅在请求体相同时复用。',
  ],
  '4290': [
    'Send fewer requests a second, and wait as long as Retry-After says.',
    '请降低请求频率，并按 Retry-After 等待。',
  ],
  '5000': [
    'Report it with the request id. A read may be sent again; a write with the same Idempotency-Key.',
    '请附上请求 ID 反馈。读取可直接重试；写入请使用相同的 Idempotency-Key 重试。',
  ],
  '5030': [
    'Send it again in a few seconds; a write with the same Idempotency-Key.',
    '请几秒后重试；写入请使用相同的 Idempotency-Key。',
  ],
});
