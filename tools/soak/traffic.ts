/** Where the calls go. The first one is there already; the soak creates the others. */
export const sandboxes: readonly string[] = [
  'default',
  ...Array.from({ length: 8 }, (_, index) => `soak-${index}`),
]

interface Kind {
  readonly name: string
  /** Of 100 calls. */
  readonly share: number
  readonly method: string
  readonly target: (random: number) => string
  /** As the metrics name it. */
  readonly operation: string
  readonly key: string | undefined
  readonly body?: string
  readonly statuses: readonly number[]
}

const unlimitedKey = 'soak'
/** The pets that a sandbox starts with. */
export const firstPets = 100

const list = (random: number) => `/v1/pets?limit=${1 + (random % 3)}`
const pet = '{"name":"Rex","categoryId":9007199254740993,"status":"available"}'

export const kinds: readonly Kind[] = [
  {
    ...{ name: 'broken answer', share: 1, method: 'GET', operation: 'getPet', key: 'soak-broken' },
    ...{ target: () => '/v1/pets/9', statuses: [200] },
  },
  {
    ...{ name: 'get a pet', share: 43, method: 'GET', operation: 'getPet', key: unlimitedKey },
    ...{ target: random => `/v1/pets/${1 + (random % firstPets)}`, statuses: [200] },
  },
  {
    ...{ name: 'list', share: 22, method: 'GET', operation: 'listPets', key: unlimitedKey },
    ...{ target: list, statuses: [200, 503] },
  },
  {
    ...{ name: 'list with a small quota', share: 6, method: 'GET', operation: 'listPets', key: 'soak-free' },
    ...{ target: list, statuses: [200, 429] },
  },
  {
    ...{ name: 'get with a quota', share: 6, method: 'GET', operation: 'getPet', key: 'soak-pro' },
    ...{ target: () => '/v1/pets/7', statuses: [200, 429] },
  },
  {
    ...{ name: 'head', share: 4, method: 'HEAD', operation: 'getPet', key: unlimitedKey },
    ...{ target: () => '/v1/pets/8', statuses: [200] },
  },
  {
    ...{ name: 'unknown pet', share: 4, method: 'GET', operation: 'getPet', key: unlimitedKey },
    ...{ target: random => `/v1/pets/${10 ** 12 + (random % 1_000)}`, statuses: [404] },
  },
  {
    ...{ name: 'wrong limit', share: 3, method: 'GET', operation: 'listPets', key: unlimitedKey },
    ...{ target: () => '/v1/pets?limit=0', statuses: [400, 503] },
  },
  {
    ...{ name: 'without a key', share: 3, method: 'GET', operation: 'listPets', key: undefined },
    ...{ target: list, statuses: [401] },
  },
  {
    ...{ name: 'wrong method', share: 3, method: 'PATCH', operation: 'none', key: unlimitedKey },
    ...{ target: () => '/v1/pets', body: '{}', statuses: [405] },
  },
  {
    ...{ name: 'wrong body', share: 3, method: 'POST', operation: 'createPet', key: unlimitedKey },
    ...{ target: () => '/v1/pets', body: '{"name":7}', statuses: [400] },
  },
  {
    ...{ name: 'create', share: 2, method: 'POST', operation: 'createPet', key: unlimitedKey },
    ...{ target: () => '/v1/pets', body: pet, statuses: [201] },
  },
]

/** The kind whose answers break the contract, by a rule of soak.yaml. */
export const brokenKind = kinds.findIndex(({ name }) => name === 'broken answer')

const byShare = kinds.flatMap((kind, index) => Array.from({ length: kind.share }, () => index))

interface PlannedCall {
  readonly kind: number
  readonly sandbox: string
  readonly text: string
}

/** The call with a number. The same number gives the same call. */
export function planCall(number: number): PlannedCall {
  const random = scatter(number)
  const kind = byShare[random % byShare.length] ?? 0
  const { method, target, key, body } = kinds[kind] ?? { method: 'GET', target: list, key: undefined }
  // A call without a key counts in the sandbox `default`.
  const sandbox = (key !== undefined && sandboxes[(random >>> 8) % sandboxes.length]) || 'default'
  const lines = [`${method} ${target(random >>> 12)} HTTP/1.1`, 'Host: localhost']
  if (key !== undefined) lines.push(`Authorization: Bearer ${key}+${sandbox}`)
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${body.length}`)
  return { kind, sandbox, text: `${lines.join('\r\n')}\r\n\r\n${body ?? ''}` }
}

/** A 32-bit number that looks random (the finalizer of MurmurHash3). */
function scatter(number: number): number {
  let hash = number | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
