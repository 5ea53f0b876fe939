import { draw, fork } from '../../../src/base/random/random.ts'
import { parseDuration } from '../../../src/base/time/duration.ts'
import { assumedSettings } from '../../../src/control/profile/assumed.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import type { Line, Profile } from '../../../src/emulator/worlds/scenario.ts'
import { createLearner } from '../../../src/judges/profile/learner.ts'
import { nextLink } from '../../../src/service/call/link.ts'
import { scenarioOf } from '../../support/scenarios.ts'

/** Settings by their paths; a setting that is not there has its default. */
export type Settings = Readonly<Record<string, unknown>>

/** Wordings of a service, with slots that mean something for the error. */
const wordings: Readonly<Partial<Record<string, string>>> = {
  pet_not_found: 'No pet {id}',
  invalid_parameter: 'Bad {field}: "{value}"',
  invalid_body: 'The field {field} is wrong',
  route_not_found: '{method} {path} leads nowhere',
  rate_limit_exceeded: 'At most {limit} calls; wait {wait} seconds',
  api_key_banned: 'Too many calls. Wait {wait} seconds',
  method_not_allowed: 'Not {method}',
}

/** A scenario's settings, drawn from the lawful values of all assumed settings. */
export function drawSettings(seed: number): Settings {
  const settings: Record<string, unknown> = {}
  for (const { path, samples } of assumedSettings) {
    const own = fork(seed, path)
    const values = ofOwn(path) ?? samples
    if (draw(own, 0) < 0.5) settings[path] = values[Math.floor(draw(own, 1) * values.length)]
  }
  // A ban at the first refusal that ends with its window looks like a limit.
  if (settings['bans.after'] === 1) settings['bans.for'] = '900s'
  // Without names, both dialects are the same as the second alone.
  const isBare = ['limit', 'remaining', 'reset'].every(role => settings[`limits.names.${role}`] === 'off')
  if (isBare && settings['limits.dialect'] === 'both') settings['limits.dialect'] = 'ietf'
  // Later than that removal.
  if (settings['deprecation.removedAt'] === '2025-06-01T00:00:00Z') delete settings['deprecation.since']
  return settings
}

function ofOwn(path: string): readonly unknown[] | undefined {
  const [area, name = '', role = ''] = path.split('.')
  if (area === 'limits' && name === 'names') return ['off', `X-Sample-${role.at(-1)}-${role.at(2)}`]
  if (area === 'responses')
    return [{ [name === 'headers' ? 'X-Extra' : 'extra']: name === 'headers' ? '7' : 7 }]
  if (area !== 'errors') return undefined
  const message = wordings[name]
  return [
    { code: 'sample', message: 'Sample.' },
    { code: `own_${name}`, ...(message && { message }) },
  ]
}

/** Settings by path as the fields of a scenario. */
export function fieldsOf(settings: Settings): ScenarioFile {
  const fields: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(settings)) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    let place = fields
    for (const name of names) {
      place[name] ??= {}
      place = place[name] as Record<string, unknown>
    }
    place[last] = value
  }
  return fields as ScenarioFile
}

export interface Sent {
  readonly method?: string
  readonly target: string
  /** Default: the key of the stand-in. Null: none. */
  readonly key?: string | null
  readonly body?: string
  readonly type?: string | null
}

/** A service with these settings, and the learner that sees its calls. */
export function createStandIn(
  settings: Settings,
  { at, offset = 0, key = 'learner' }: { at: number; offset?: number; key?: string },
) {
  const file = fieldsOf(settings)
  const scenario = scenarioOf({
    ...file,
    clock: { at: new Date(at + offset).toISOString(), frozen: false },
    keys: {
      learner: { plan: 'free' },
      other: { plan: 'free' },
      small: { plan: 'enterprise', limits: { minute: 30, day: 40 } },
    },
  } as ScenarioFile)
  const emulator = createEmulator({ scenario, startedAt: at })
  const exchanges: Exchange[] = []
  emulator.observe(exchange => {
    exchanges.push({ ...exchange, answeredAt: exchange.call.receivedAt + 20 })
  })
  let now = at
  const send = ({ method = 'GET', target, body, type = 'application/json', key: own = key }: Sent) => {
    now += 230
    const headers = [
      'Host',
      '127.0.0.1',
      ...(own === null ? [] : ['Authorization', `Bearer ${own}`]),
      ...(body === undefined || type === null ? [] : ['Content-Type', type]),
    ]
    return emulator.handle({
      method,
      target: `/v1${target}`,
      headers,
      body: body === undefined ? undefined : new TextEncoder().encode(body),
      scheme: 'http',
      client: '127.0.0.1',
      receivedAt: now,
    })
  }
  return {
    send,
    exchanges,
    now: () => now,
    wait: (ms: number) => {
      now += ms
    },
    /** Waits until some seconds after the next minute, in the service's time. */
    profile: (): Profile => {
      const learner = createLearner({ service: 'https://pets.example/v1' })
      for (const exchange of exchanges) learner.add(exchange)
      return learner.profile()
    },
  }
}

export type StandIn = ReturnType<typeof createStandIn>

/** Traffic as the modes of `learn` send it. */
export const modes = {
  learn: ({ send }: StandIn) => {
    const first = send({ target: '/pets' })
    const ids = JSON.parse(first.body ?? '[]').map(({ id }: { id: number }) => id)
    send({ target: '/pets?limit=1' })
    const page = send({ target: '/pets?limit=3' })
    const next = nextLink(page.headers.Link)
    if (next !== undefined) send({ target: next.replace(/^.*\/v1/, '') })
    for (const query of ['limit=0', 'limit=101', 'limit=no', 'status=lost', 'status=gone'])
      send({ target: `/pets?${query}` })
    send({ target: `/pets/${ids[0]}` })
    send({ target: '/pets/987001' })
    send({ target: '/pets/987002' })
    send({ target: `/pets/${ids[1]}` })
    send({ target: '/pest' })
    send({ target: '/animals/7' })
    send({ target: '/pest', key: null })
    send({ target: '/pets', key: null })
    send({ target: '/pets', key: 'wrong-key' })
    send({ target: '/pets' })
    send({ target: '/pets/987003' })
    send({ target: '/pets' })
  },
  writes: (service: StandIn) => {
    modes.learn(service)
    const { send } = service
    const post = (body: unknown, type: string | null = 'application/json') =>
      send({
        method: 'POST',
        target: '/pets',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        type,
      })
    post({ name: 'Rex', categoryId: 1 })
    post({ categoryId: 1 })
    post({ name: 'Rex', categoryId: true })
    post('{"name":')
    post('{]')
    post({ name: 'Rex', categoryId: 1 }, 'text/plain')
    post({ name: 7 }, 'text/plain')
    post({ name: 'Mia', categoryId: 1 })
  },
  exhaust: (service: StandIn) => {
    modes.learn(service)
    const { send, wait } = service
    for (let left = 200; left > 0 && send({ target: '/pets?limit=1' }).status === 200; left -= 1);
    wait(63_000)
    send({ target: '/pets?limit=1' })
    send({ target: '/pets?limit=1' })
    wait(61_000)
    send({ target: '/pets?limit=1' })
  },
  ban: (service: StandIn) => {
    modes.exhaust(service)
    const { send, wait } = service
    for (let left = 200; left > 0 && send({ target: '/pets?limit=1' }).status === 200; left -= 1);
    for (let left = 22; left > 0; left -= 1) {
      wait(770)
      send({ target: '/pets?limit=1' })
    }
  },
} as const

const usual = new Map(assumedSettings.map(({ path, usual }) => [path, usual]))

/** The true value of a setting, and whether a line says so. */
export function isRight(path: string, line: Line, settings: Settings): boolean {
  const truth = settings[path] ?? usual.get(path) ?? 'none'
  if (path.startsWith('latency.')) return true
  if (path.startsWith('errors.')) {
    const { code, message } = Object(line.value)
    const own = Object(settings[path])
    // Without an own wording it has those of pet-mock.
    const isWording = message === undefined || own.message === undefined || message === own.message
    return isWording && code === (own.code ?? path.slice('errors.'.length))
  }
  const amount = (value: unknown) =>
    typeof value === 'number' ? value : (parseDuration(`${value}`) ?? Number.NaN)
  if (line.state === 'bounded') {
    const { atLeast = truth, atMost = truth } = line
    return amount(truth) >= amount(atLeast) && amount(truth) <= amount(atMost)
  }
  if (path === 'bans.for') return amount(line.value) === amount(truth)
  return JSON.stringify(line.value) === JSON.stringify(truth)
}
