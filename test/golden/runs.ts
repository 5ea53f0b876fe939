import { fileURLToPath } from 'node:url'
import type { Traits } from '../judges/conformance/service/traits.ts'

export const client = fileURLToPath(new URL('client.mjs', import.meta.url))
const clientWords = [process.execPath, client]

/** One run of the command. Times, ports and the like are replaced in what it prints and writes. */
export interface Run {
  readonly args: readonly string[]
  /** Files of its directory. */
  readonly files?: Readonly<Record<string, string>>
  /** Also compares the reports as JSON, JUnit, HTML and Markdown. */
  readonly reports?: true
  /** A pet-mock that serves this scenario; its URL takes the place of `URL` in `args`. */
  readonly serves?: string
  /** A service of another make, with what it does otherwise; its URL takes the place of `URL`. */
  readonly other?: Partial<Traits>
  /** The steps of a client that calls the server, or the proxy that the command is, before the run ends. */
  readonly calls?: readonly string[]
}

const exec = (flags: string, ...steps: readonly string[]): Run => ({
  args: ['exec', '--no-config', ...flags.split(' ').filter(Boolean), '--', ...clientWords, ...steps],
})

const list = (times: number) => Array.from({ length: times }, () => 'GET /pets')
const create = 'POST /pets {"name":"Rex","categoryId":1}'

const scenario = (text: string) => ({ 'own.yaml': text })

const execs: Readonly<Record<string, Run>> = {
  'no findings': { ...exec('', 'GET /pets', 'GET /pets?limit=2', create), reports: true },
  'an early retry': {
    ...exec('-s rate-limit-exhaustion', ...list(4), 'wait 300', 'GET /pets'),
    reports: true,
  },
  'other calls while limited': exec(
    '-s rate-limit-exhaustion --fail-on warning',
    ...list(4),
    'wait 300',
    'GET /pets?limit=1',
    'wait 300',
    'GET /pets?limit=2',
  ),
  'a ban': {
    ...exec('-s own.yaml', ...list(4)),
    files: scenario(
      'extends: free-plan\nbans: { after: 3, for: 60s }\nkeys: { demo-free: { used: { minute: 59 } } }\n',
    ),
    reports: true,
  },
  'calls during a ban': exec('-s ban', 'GET /pets', 'wait 300', 'GET /pets'),
  'a removed operation': exec('-s after-removal', 'GET /pets/1'),
  'a deprecated operation': exec('--fail-on warning', 'GET /pets/1'),
  'an invalid call, repeated': exec('', ...Array.from({ length: 3 }, () => 'GET /pets?limit=500')),
  'a pet created twice': exec('-s lost-reply', create, create),
  'unknown names': {
    ...exec('', 'GET /pets?page=2', 'POST /pets {"name":"Rex","categoryId":1,"colour":"red"}'),
    reports: true,
  },
  'no key, and a key in the query': exec('', 'key none', 'GET /pets', 'GET /pets?api_key=demo-free'),
  'a page read again': exec('', 'GET /pets', 'GET /pets?cursor=YWZ0ZXI6MjA', 'GET /pets?cursor=YWZ0ZXI6MjA'),
  'several sandboxes': exec('', 'key demo-free+a', 'GET /pets?page=1', 'key demo-free+b', 'GET /pets?page=1'),
  'not judged': {
    ...exec('-s own.yaml --fail-on unjudged', 'GET /pets', 'GET /pets', 'wait 300', 'GET /pets'),
    files: scenario(
      'extends: free-plan\nclock: { at: 2026-03-02T09:00:00Z, frozen: true }\nkeys: { demo-free: { limits: { minute: 1 } } }\n',
    ),
    reports: true,
  },
  'a breach of the contract': {
    ...exec('-s own.yaml --contract', 'GET /pets'),
    files: scenario(
      'extends: free-plan\nrules: [{ name: odd, match: { operation: listPets }, then: { status: 200, body: { pets: [] } } }]\n',
    ),
    reports: true,
  },
  'a quota that is nearly used': exec('--fail-on quota-peak', ...list(50)),
  'no calls': exec(''),
  'the exit code of the command': exec('', 'GET /pets', 'exit 3'),
  'an unknown command': { args: ['exec', '--no-config', '--', 'no-such-program'] },
  'a broken scenario': {
    ...exec('-s own.yaml'),
    files: scenario('extends: free-plan\nkyes: {}\nrules: [{ then: { status: 700 } }]\n'),
  },
  'an unknown flag': { args: ['exec', '--conduckt', 'off', '--', 'true'] },
}

const noLimits: Partial<Traits> = { hasLimits: () => false }
const asObject: Partial<Traits> = {
  edit: reply => (reply.text.startsWith('[') ? { ...reply, text: `{"pets":${reply.text}}` } : reply),
}
const noKeys: Partial<Traits> = { isAllowed: () => true }
const unavailable: Partial<Traits> = {
  edit: reply => ({ ...reply, status: 503, text: '<h1>503</h1>', headers: { 'content-type': 'text/html' } }),
}
const refuses: Partial<Traits> = { isRefused: () => true, retryAfter: () => '3600' }

const check = (flags: string, run: Omit<Run, 'args'>): Run => ({
  args: ['check', 'URL', '--key', 'Key-of.the~service', ...flags.split(' ').filter(Boolean)],
  ...run,
})
const ownCheck = ['check', 'URL', '--key', 'demo-free']

const checks: Readonly<Record<string, Run>> = {
  'pet-mock itself': { args: ownCheck, serves: 'free-plan', reports: true },
  'pet-mock itself, in JSON': { args: [...ownCheck, '--json'], serves: 'free-plan' },
  'a lawful service': check('', { other: {} }),
  'a service without limits': check('', { other: noLimits, reports: true }),
  'lists as objects': check('', { other: asObject }),
  'a service without keys': check('--strict', { other: noKeys }),
  'a service that is down': check('', { other: unavailable, reports: true }),
  'a service that refuses all': check('--fail-on unjudged', { other: refuses }),
  'a port where nobody listens': { args: ['check', 'http://127.0.0.1:1', '--key', 'k'] },
}

const proxy = (flags: string, run: Omit<Run, 'args'>): Run => ({
  args: ['proxy', 'URL', '--port', '0', '--log-format', 'json', ...flags.split(' ').filter(Boolean)],
  ...run,
})
const someCalls = [
  'GET /pets',
  'GET /pets?limit=5',
  'GET /pets/7',
  create,
  'GET /store/orders',
  'GET /nothing',
]

const proxies: Readonly<Record<string, Run>> = {
  'pet-mock behind it': proxy('', { serves: 'free-plan', calls: someCalls, reports: true }),
  'a client that retries too early': proxy('', {
    serves: 'rate-limit-exhaustion',
    calls: [...list(4), 'wait 300', 'GET /pets'],
  }),
  'a service without limits behind it': proxy('', { other: noLimits, calls: someCalls, reports: true }),
  'lists as objects, behind it': proxy('', { other: asObject, calls: someCalls }),
  'a service that is down, behind it': proxy('', { other: unavailable, calls: someCalls }),
  'no calls, through it': proxy('', { serves: 'free-plan', calls: [] }),
}

const conduct = (flags: string, serves: string, ...calls: readonly string[]): Run => ({
  args: ['conduct', '--url', 'URL', ...flags.split(' ').filter(Boolean)],
  serves,
  calls,
})

const conducts: Readonly<Record<string, Run>> = {
  'a polite client': conduct('', 'free-plan', ...list(3)),
  'an impolite client': { ...conduct('', 'ban', 'GET /pets', 'wait 300', 'GET /pets'), reports: true },
  'its JSON': conduct('--json', 'ban', 'GET /pets', 'wait 300', 'GET /pets'),
  'all sandboxes': conduct('--sandbox *', 'free-plan', 'key demo-free+a', 'GET /pets?page=2'),
  'the list of requests': {
    args: ['requests', '--url', 'URL'],
    serves: 'rate-limit-exhaustion',
    calls: [...list(4), create, 'GET /nothing'],
  },
  'an explanation': {
    args: ['requests', 'explain', '--url', 'URL'],
    serves: 'rate-limit-exhaustion',
    calls: list(4),
  },
  'its keys': { args: ['keys', '--url', 'URL'], serves: 'ban', calls: list(1) },
}

const rehearse = (flags: string, ...steps: readonly string[]): Run => ({
  args: [
    'rehearse',
    '--no-config',
    '--jobs',
    '1',
    ...flags.split(' ').filter(Boolean),
    '--',
    ...clientWords,
    ...steps,
  ],
})
const situations = '--only rate-limit-exhaustion,ban,after-removal,pagination,precision'

const rehearsals: Readonly<Record<string, Run>> = {
  'a polite client, in five situations': { ...rehearse(situations, 'polite', ...list(3)), reports: true },
  'a client that gives up': {
    ...rehearse(situations, 'GET /pets', 'GET /pets/1', 'GET /pets', 'exit 1'),
  },
  'a client that never waits': { ...rehearse(situations, ...list(4)), reports: true },
  'situations that are not met': rehearse('--only pagination,orders', 'GET /pets'),
  'a baseline': rehearse('--only ban --write-baseline known.json', ...list(3)),
  'a search': rehearse('--search --max-runs 12 --only plan --seed 3', 'polite', ...list(2)),
}

const recorded = (count: number) =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'x', version: '1' },
      entries: Array.from({ length: count }, (_, index) => ({
        startedDateTime: new Date(Date.UTC(2026, 2, 2, 8) + 10 * index).toISOString(),
        time: 20,
        request: { method: 'GET', url: 'https://api.example/v1/pets', headers: [] },
        response: { status: 200, headers: [], content: { text: '[]' } },
      })),
    },
  })

const replays: Readonly<Record<string, Run>> = {
  'a burst at each plan': {
    args: ['compare-plans', 'calls.har'],
    files: { 'calls.har': recorded(65) },
    reports: true,
  },
  'a plan that does not suffice': {
    args: ['compare-plans', 'calls.har', '--plans', 'free,pro', '--expect', 'free'],
    files: { 'calls.har': recorded(65) },
  },
  'an archive that is broken': { args: ['compare-plans', 'calls.har'], files: { 'calls.har': '{"log":{' } },
}

const scenarios: Readonly<Record<string, Run>> = {
  list: { args: ['scenarios', 'list'] },
  show: { args: ['scenarios', 'show', 'rate-limit-exhaustion'] },
  'check, with mistakes': {
    args: ['scenarios', 'validate', 'own.yaml'],
    files: scenario(
      'extends: free-pln\nclock: { at: yesterday }\nevents: [{ after: 5s, do: bann }]\nrules: [{ when: { first: -1 } }]\n',
    ),
  },
  'play all': { args: ['scenarios', 'play', '--all'] },
  'play one that differs': {
    args: ['scenarios', 'play', 'own.yaml', '--json'],
    files: scenario(
      'extends: free-plan\nwalkthrough: [{ call: GET /v1/pets, expect: { status: 429 } }, { call: GET /v1/pets, expect: { length: 20 } }]\n',
    ),
  },
  'play against a server': {
    args: ['scenarios', 'play', 'ban', '--against', 'URL'],
    serves: 'ban',
  },
  'from an archive': {
    args: ['scenarios', 'from', 'calls.har', '--output', 'calls.yaml'],
    files: { 'calls.har': recorded(5) },
  },
}

/** Every run, by a name for people. */
export const runs: Readonly<Record<string, Readonly<Record<string, Run>>>> = {
  exec: execs,
  check: checks,
  proxy: proxies,
  conduct: conducts,
  rehearse: rehearsals,
  'compare-plans': replays,
  scenarios,
}
