import { findingIds } from '../../../src/control/scenario/settings/finding-ids.ts'
import { hostileForms, legalForms } from '../../../src/service/limits/retry-after.ts'
import { operationIds } from '../../../src/service/operations/operations.ts'

/** A scenario file that cannot be, what is said of it, and whether a JSON Schema can say so, too. */
export interface BrokenFile {
  readonly text: string
  readonly complaint: string
  readonly bySchema: boolean
}

const forms = `one of ${[...legalForms, ...hostileForms].join(', ')}`
const instant = 'an instant, such as 2026-03-02T09:00:00Z'
const clockStart = 'an instant from 1970 to 9899, such as 2026-03-02T09:00:00Z'
const duration = 'a duration, such as 90s, 15m or 250ms'
const banLength = 'a duration of at least 1s, such as 90s or 15m'
const scale = 'a number from 0.001 to 86400 (to stop the clock, use frozen)'

const callForm = 'a method and a path without a #, such as GET /v1/pets?limit=5'
const pathForm = 'a whole path, such as /v1/pets/{petId}, with braces around whole segments only'
const keyForm = 'an API key (letters, digits and . _ ~ + / -)'
const commands =
  'freezeClock, advanceClock, resumeClock, resetClock, addKey, changeKey, deleteKey, banKey, unbanKey, addPet, changePet, deletePet, addRule, changeRule, deleteRule, useScenario, reset, loadSnapshot, clearRequests, createSandbox, deleteSandbox'

/** What one field tells: the schema knows it as well. */
const badFields: readonly (readonly [string, string])[] = [
  ['clok: { frozen: true }', '1:1: clok: unknown field; did you mean clock?'],
  [
    'quotas: []',
    '1:1: quotas: unknown field; known are $schema, title, description, extends, key, seed, reset, clock, plans, keys, pets, rules, events, limits, bans, pageSize, pageOrder, pagination, order, errors, responses, latency, deprecation, rehearsal, walkthrough',
  ],
  ['title: 12', '1:8: title: expected text, found 12: write "12", in quotes'],
  ['title: "a\\0b"', '1:8: title: expected text without control characters, found "a\\u0000b"'],
  [
    'description: "\\e[2J"',
    '1:14: description: expected text without control characters, found "\\u001b[2J"',
  ],
  [
    'walkthrough: [{ note: "\\b" }]',
    '1:23: walkthrough[0].note: expected text without control characters, found "\\b"',
  ],
  ['description: [x]', '1:14: description: expected text, found a list'],
  [
    'extends: 1',
    '1:10: extends: expected a shipped scenario, or the path of a file, found 1: write "1", in quotes',
  ],
  ['key: true', `1:6: key: expected ${keyForm}, found true: write "true", in quotes`],
  ['seed: 1.5', '1:7: seed: expected a whole number (0 or more), found 1.5'],
  ['seed: -1', '1:7: seed: expected a whole number (0 or more), found -1'],
  [
    'seed: 99999999999999999999',
    '1:7: seed: expected a whole number (0 or more), found 99999999999999999999',
  ],
  [
    'clock: []',
    '1:8: clock: expected a map of fields, found an empty list; write it like { at: 2026-03-02T09:00:00Z, frozen: true }',
  ],
  ['clock: { at: tomorrow }', `1:14: clock.at: expected ${clockStart}, found "tomorrow"`],
  ['clock: { frozen: yes }', '1:18: clock.frozen: expected true or false, found "yes": write true'],
  [
    'keys: { demo-free: { sharedUse: { perMinute: 0 } } }',
    '1:46: keys.demo-free.sharedUse.perMinute: expected a number of calls from 0.01 to 1000000, found 0',
  ],
  [
    'events: [{ after: soon, change: { do: unbanKey, key: demo-free } }]',
    '1:19: events[0].after: expected a number of calls or a duration, such as 5, 5 calls or 20s, found "soon"',
  ],
  [
    'events: [{ after: 5 calls, change: { do: reset } }]',
    '1:42: events[0].change.do: expected one of freezeClock, advanceClock, resumeClock, resetClock, addKey, changeKey, deleteKey, banKey, unbanKey, addPet, changePet, deletePet, addRule, changeRule, deleteRule, found "reset"; did you mean resetClock?',
  ],
  [
    'rehearsal: { expects: succes }',
    '1:23: rehearsal.expects: expected one of success, failure, either, found "succes"; did you mean success?',
  ],
  [
    'rehearsal: { recovers: soon }',
    '1:24: rehearsal.recovers: expected none or a duration above 0, such as 60s, found "soon"',
  ],
  [
    'rehearsal: { conduct: { allow: [early-retries] } }',
    `1:33: rehearsal.conduct.allow[0]: expected one of ${findingIds.join(', ')}, found "early-retries"; did you mean early-retry?`,
  ],
  [
    'rehearsal: { conduct: { allow: banned } }',
    '1:32: rehearsal.conduct.allow: expected a list, found "banned"; write it like [banned, early-retry]',
  ],
  [
    'rehearsal: { conduct: { failOn: info } }',
    '1:33: rehearsal.conduct.failOn: expected one of error, warning, never, found "info"',
  ],
  ['rehearsal: { clock: { scale: 0 } }', `1:30: rehearsal.clock.scale: expected ${scale}, found 0`],
  [
    'rehearsal: { clock: { frozen: false } }',
    '1:31: rehearsal.clock.frozen: expected true (for a clock that runs, give a scale), found false',
  ],
  [
    'rehearsal: { clock: { scale: 30, frozen: true } }',
    '1:21: rehearsal.clock: expected either scale, a number, or frozen: true',
  ],
  ['rehearsal: { clock: {} }', '1:21: rehearsal.clock: expected either scale, a number, or frozen: true'],
  ['rehearsal: { expect: success }', '1:14: rehearsal.expect: unknown field; did you mean expects?'],
  ['clock: { scale: 0 }', `1:17: clock.scale: expected ${scale}, found 0`],
  ['clock: { scale: 0.0009 }', `1:17: clock.scale: expected ${scale}, found 0.0009`],
  ['clock: { scale: 86401 }', `1:17: clock.scale: expected ${scale}, found 86401`],
  ['clock: { scale: fast }', `1:17: clock.scale: expected ${scale}, found "fast"`],
  [
    'plans: { free: { minute: 0 } }',
    '1:26: plans.free.minute: expected a whole number of calls (1 or more), found 0',
  ],
  [
    'plans: { "a b": { minute: 1, day: 1 } }',
    '1:10: plans["a b"]: expected a name of letters, digits and . _ -, at most 64 as its name',
  ],
  [
    'keys:\n  my-app:\n    plan:free',
    '3:5: keys.my-app: expected a map of fields, found "plan:free": add a space after the colon, as in plan: free',
  ],
  [
    'clock: 2026',
    '1:8: clock: expected a map of fields, found 2026; write it like { at: 2026-03-02T09:00:00Z, frozen: true }',
  ],
  [
    'title:Mine',
    '1:1: expected a map of fields, found "title:Mine": add a space after the colon, as in title: Mine',
  ],
  [
    'keys: [demo-free]',
    '1:7: keys: expected a map of names, found a list; write it like { demo-free: { used: { minute: 57, day: 412 } } }',
  ],
  [
    'keys: { "a b": { plan: free } }',
    '1:9: keys["a b"]: expected an API key (letters, digits and . _ ~ + / -) as its name',
  ],
  [
    'keys: { demo-free: free }',
    '1:20: keys.demo-free: expected a map of fields, found "free"; write it like { plan: free }',
  ],
  [
    'keys: { demo-free: { plan: 1 } }',
    '1:28: keys.demo-free.plan: expected text, found 1: write "1", in quotes',
  ],
  [
    'keys: { demo-free: { used: { minute: many } } }',
    '1:38: keys.demo-free.used.minute: expected a whole number of calls (0 to 2^52), found "many"',
  ],
  [
    'keys: { demo-free: { used: 57 } }',
    '1:28: keys.demo-free.used: expected a map of fields, found 57; write it like { minute: 57, day: 412 }',
  ],
  [
    'keys: { demo-free: { strikes: -1 } }',
    '1:31: keys.demo-free.strikes: expected a whole number of calls (0 to 2^52), found -1',
  ],
  [
    'keys: { demo-free: { banned: 90 } }',
    '1:30: keys.demo-free.banned: expected a duration with its unit (write 90s or 90ms), found 90',
  ],
  ['keys: { demo-free: { revoked: 1 } }', '1:31: keys.demo-free.revoked: expected true or false, found 1'],
  [
    'keys: { demo-free: { expires: soon } }',
    `1:31: keys.demo-free.expires: expected ${instant}, found "soon"`,
  ],
  [
    'keys: { demo-free: { limits: { day: 1.5 } } }',
    '1:37: keys.demo-free.limits.day: expected a whole number of calls (1 or more), found 1.5',
  ],
  ['pets: 100', '1:7: pets: expected a map of fields, found 100; write it like { count: 100, gone: [13] }'],
  [
    'pets: { count: 1000001 }',
    '1:16: pets.count: expected a whole number of pets from 0 to 1000000, found 1000001',
  ],
  [
    'pets: { firstId: 0 }',
    '1:18: pets.firstId: expected an id (a whole number of at most 64 bits, 1 or more), found 0',
  ],
  ['pets: { gone: 13 }', '1:15: pets.gone: expected a list, found 13; write it like [13]'],
  [
    'pets: { gone: [a] }',
    '1:16: pets.gone[0]: expected an id (a whole number of at most 64 bits, 1 or more), found "a"',
  ],
  [
    'pets: { add: [{ name: Rex }] }',
    '1:15: pets.add[0]: categoryId is missing: expected a whole number of at most 64 bits',
  ],
  [
    'pets: { add: [{ name: Rex, categoryId: 1, state: sold }] }',
    '1:43: pets.add[0].state: unknown field; did you mean status?',
  ],
  [
    'pets: { add: [{ name: Rex, categoryId: 1, status: Sold }] }',
    '1:51: pets.add[0].status: expected one of available, pending, sold, found "Sold"; did you mean sold?',
  ],
  [
    'pets: { defaultStatus: none }',
    '1:24: pets.defaultStatus: expected one of available, pending, sold, found "none"',
  ],
  [
    'rules: {}',
    '1:8: rules: expected a list, found an empty map; write it like [{ match: { operation: createPet }, when: { first: 2 }, then: { status: 503 } }]',
  ],
  ['rules: [503]', '1:9: rules[0]: expected a map of fields, found 503'],
  ['rules: [{ them: { status: 503 } }]', '1:11: rules[0].them: unknown field; did you mean then?'],
  [
    'rules: [{ name: "", then: { status: 503 } }]',
    '1:17: rules[0].name: expected a name of up to 100 visible characters, found ""',
  ],
  [
    'rules: [{ match: { operation: createPets }, then: { status: 503 } }]',
    `1:31: rules[0].match.operation: expected one of ${operationIds.join(', ')}, found "createPets"; did you mean createPet?`,
  ],
  [
    'rules: [{ match: { method: get }, then: { status: 503 } }]',
    '1:28: rules[0].match.method: expected one of GET, HEAD, POST, PUT, PATCH, DELETE, found "get"; did you mean GET?',
  ],
  [
    'rules: [{ match: { path: /pets }, then: { status: 503 } }]',
    `1:26: rules[0].match.path: expected ${pathForm}, found "/pets"`,
  ],
  [
    'rules: [{ match: { key: "a b" }, then: { status: 503 } }]',
    '1:25: rules[0].match.key: expected an API key, with * for any characters, found "a b"',
  ],
  [
    'rules: [{ match: { plan: 1 }, then: { status: 503 } }]',
    '1:26: rules[0].match.plan: expected text, found 1: write "1", in quotes',
  ],
  [
    'rules: [{ match: { query: { limit: [5] } }, then: { status: 503 } }]',
    '1:36: rules[0].match.query.limit: expected a text or a number, found a list',
  ],
  [
    'rules: [{ match: { body: Rex }, then: { status: 503 } }]',
    '1:26: rules[0].match.body: expected a map of fields, found "Rex"; write it like { name: Rex }',
  ],
  [
    'rules: [{ match: null, then: { status: 503 } }]',
    '1:18: rules[0].match: expected a map of fields, found nothing; write it like { operation: createPet, key: "demo-*" }',
  ],
  [
    'rules: [{ when: { first: 0 }, then: { status: 503 } }]',
    '1:26: rules[0].when.first: expected a whole number of calls (1 or more), found 0',
  ],
  [
    'rules: [{ when: { every: 2.5 }, then: { status: 503 } }]',
    '1:26: rules[0].when.every: expected a whole number of calls (1 or more), found 2.5',
  ],
  [
    'rules: [{ when: { after: soon }, then: { status: 503 } }]',
    '1:26: rules[0].when.after: expected a number of calls or a duration, such as 3 or 30s, found "soon"',
  ],
  [
    'rules: [{ when: { after: -1 }, then: { status: 503 } }]',
    '1:26: rules[0].when.after: expected a whole number of calls (1 or more), found -1',
  ],
  [
    'rules: [{ when: { between: 10s }, then: { status: 503 } }]',
    '1:28: rules[0].when.between: expected a list of two durations, from and to, found "10s"',
  ],
  [
    'rules: [{ when: { between: [10s] }, then: { status: 503 } }]',
    '1:28: rules[0].when.between: expected a list of two durations, from and to, found a list',
  ],
  [
    'rules: [{ when: { between: [10s, 40] }, then: { status: 503 } }]',
    '1:34: rules[0].when.between[1]: expected a duration with its unit (write 40s or 40ms), found 40',
  ],
  [
    'rules: [{ when: { probability: 0 }, then: { status: 503 } }]',
    '1:32: rules[0].when.probability: expected a number above 0 and up to 1, such as 0.05 for 5 %, found 0',
  ],
  [
    'rules: [{ when: { probability: 5 }, then: { status: 503 } }]',
    '1:32: rules[0].when.probability: expected a number above 0 and up to 1, such as 0.05 for 5 %, found 5',
  ],
  [
    'rules: [{ then: { status: 99 } }]',
    '1:27: rules[0].then.status: expected a status from 200 to 599, found 99',
  ],
  [
    'rules: [{ then: { status: 503, code: "a b" } }]',
    '1:38: rules[0].then.code: expected a code of the Error shape, found "a b"',
  ],
  [
    'rules: [{ then: { status: 503, message: 1 } }]',
    '1:41: rules[0].then.message: expected text, found 1: write "1", in quotes',
  ],
  [
    'rules: [{ then: { status: 503, headers: { "a b": c } } }]',
    '1:43: rules[0].then.headers["a b"]: expected a header name as its name',
  ],
  [
    'rules: [{ then: { status: 503, headers: { a: "x\\ny" } } }]',
    '1:46: rules[0].then.headers.a: expected a text of visible ASCII characters, found "x\\ny"',
  ],
  [
    'rules: [{ then: { delay: 80 } }]',
    '1:26: rules[0].then.delay: expected a duration with its unit (write 80s or 80ms), found 80',
  ],
  [
    'rules: [{ then: { delay: { unifrom: [1s, 2s] } } }]',
    '1:28: rules[0].then.delay.unifrom: unknown field; did you mean uniform?',
  ],
  [
    'rules: [{ then: { delay: { lognormal: { median: 80ms } } } }]',
    '1:28: rules[0].then.delay.lognormal: p99 is missing: expected a duration, such as 250ms or 2s',
  ],
  [
    'rules: [{ then: { fault: timeout } }]',
    '1:26: rules[0].then.fault: expected one of reset, empty, truncate, malformed, hang, slow, or a fault with an amount, such as { slow-close: 2s }, found "timeout"',
  ],
  [
    'rules: [{ times: 0, then: { status: 503 } }]',
    '1:18: rules[0].times: expected a whole number of calls (1 or more), found 0',
  ],
  [
    'rules: [{ ttl: 5, then: { status: 503 } }]',
    '1:16: rules[0].ttl: expected a duration with its unit (write 5s or 5ms), found 5',
  ],
  [
    'limits: { window: first_call }',
    '1:19: limits.window: expected one of first-call, calendar, found "first_call"; did you mean first-call?',
  ],
  ['limits: { headers: hour }', '1:20: limits.headers: expected one of tightest, minute, day, found "hour"'],
  [
    'limits: { countRefused: no }',
    '1:25: limits.countRefused: expected true or false, found "no": write false',
  ],
  [
    'limits: { retryAfter: ms }',
    `1:23: limits.retryAfter: expected ${forms}, or a list of these, found "ms"`,
  ],
  [
    'limits: { retryAfter: [http_date] }',
    `1:24: limits.retryAfter[0]: expected ${forms}, found "http_date"; did you mean http-date?`,
  ],
  ['limits: { retryAfter: [] }', '1:23: limits.retryAfter: expected at least one form, found an empty list'],
  [
    'limits: { anonymous: ignore }',
    '1:22: limits.anonymous: expected one of report, enforce, found "ignore"',
  ],
  [
    'limits: { names: { limit: content-length } }',
    '1:27: limits.names.limit: expected the name of a header that pet-mock does not write, found "content-length"',
  ],
  [
    'responses: { pet: { id: 7 } }',
    '1:21: responses.pet.id: expected text other than id, name, categoryId, status as its name',
  ],
  [
    'responses: { error: { code: x } }',
    '1:23: responses.error.code: expected text other than code, message, status (see errors.NAME.code and errors.NAME.message) as its name',
  ],
  ['bans: of', '1:7: bans: expected off or a map of fields, found "of"; did you mean off?'],
  [
    'bans: false',
    '1:7: bans: expected off or a map of fields, found false; write it like { after: 3, for: 60s }',
  ],
  ['bans: { aftr: 3 }', '1:9: bans.aftr: unknown field; did you mean after?'],
  ['bans: { after: 0 }', '1:16: bans.after: expected a whole number of calls (1 or more), found 0'],
  ['bans: { for: 3x }', `1:14: bans.for: expected ${banLength}, found "3x"`],
  ['bans: { grace: 2x }', `1:16: bans.grace: expected ${duration}, found "2x"`],
  ['bans: { grace: 2 }', '1:16: bans.grace: expected a duration with its unit (write 2s or 2ms), found 2'],
  [
    'bans: { escalate: { factor: 0.5 } }',
    '1:29: bans.escalate.factor: expected a number of at least 1, found 0.5',
  ],
  ['bans: { escalate: { max: long } }', `1:26: bans.escalate.max: expected ${banLength}, found "long"`],
  ['bans: { extend: "yes" }', '1:17: bans.extend: expected true or false, found "yes": write true'],
  ['bans: { status: 418 }', '1:17: bans.status: expected one of 429, 401, 403, found 418'],
  ['pageSize: clmp', '1:11: pageSize: expected one of reject, clamp, found "clmp"; did you mean clamp?'],
  ['pagination: pages', '1:13: pagination: expected one of link, relative, none, found "pages"'],
  ['deprecation: { since: 2026 }', `1:23: deprecation.since: expected ${instant}, found 2026`],
  ['deprecation: { removedAt: never }', `1:27: deprecation.removedAt: expected ${instant}, found "never"`],
  ['deprecation: { after: 405 }', '1:23: deprecation.after: expected one of 404, 410, keep, found 405'],
  [
    'deprecation: { brownouts: [{ from: 2026-01-01T00:00:00Z }] }',
    `1:28: deprecation.brownouts[0]: to is missing: expected ${instant}`,
  ],
  [
    'walkthrough: { call: GET /v1/pets }',
    '1:14: walkthrough: expected a list, found a map; write it like [{ call: "GET /v1/pets", expect: { status: 200 } }, { advance: 60s }]',
  ],
  [
    'walkthrough: [GET /v1/pets]',
    '1:15: walkthrough[0]: expected a map with call, advance, change or note, found "GET /v1/pets"',
  ],
  ['walkthrough: [{}]', `1:15: walkthrough[0]: call is missing: expected ${callForm}`],
  ['walkthrough: [{ call: /v1/pets }]', `1:23: walkthrough[0].call: expected ${callForm}, found "/v1/pets"`],
  [
    'walkthrough: [{ call: get /v1/pets }]',
    `1:23: walkthrough[0].call: expected ${callForm}, found "get /v1/pets"`,
  ],
  [
    'walkthrough: [{ call: GET /v1/pets#first }]',
    `1:23: walkthrough[0].call: expected ${callForm}, found "GET /v1/pets#first"`,
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, keys: x }]',
    '1:37: walkthrough[0].keys: unknown field; did you mean key?',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, key: "a b" }]',
    '1:42: walkthrough[0].key: expected an API key or null, found "a b"',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, headers: { "a b": x } }]',
    '1:48: walkthrough[0].headers["a b"]: expected a header name as its name',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, headers: { a: [x] } }]',
    '1:51: walkthrough[0].headers.a: expected text or a number, found a list',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, headers: { a: "x\\ny" } }]',
    '1:51: walkthrough[0].headers.a: expected a header value, without line breaks, found "x\\ny"',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, repeat: 0 }]',
    '1:45: walkthrough[0].repeat: expected a whole number of calls from 1 to 10000, found 0',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, parallel: 10001 }]',
    '1:47: walkthrough[0].parallel: expected a whole number of calls from 1 to 10000, found 10001',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, note: 5 }]',
    '1:43: walkthrough[0].note: expected text, found 5: write "5", in quotes',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, expect: 200 }]',
    '1:45: walkthrough[0].expect: expected a map of fields, found 200; write it like { status: 200, length: 5 }',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, expect: { stats: 200 } }]',
    '1:47: walkthrough[0].expect.stats: unknown field; did you mean status?',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, expect: { status: 99 } }]',
    '1:55: walkthrough[0].expect.status: expected a status from 200 to 599, found 99',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, expect: { statuses: { ok: 1 } } }]',
    '1:59: walkthrough[0].expect.statuses.ok: expected a status as its name',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, expect: { statuses: { 200: all } } }]',
    '1:64: walkthrough[0].expect.statuses.200: expected a whole number of responses (0 or more), found "all"',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, expect: { headers: { Link: false } } }]',
    '1:64: walkthrough[0].expect.headers.Link: expected text, a number, true (it is there) or null (it is not there), found false',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, expect: { length: -1 } }]',
    '1:55: walkthrough[0].expect.length: expected a whole number of items (0 or more), found -1',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, expect: { fails: resets } }]',
    '1:54: walkthrough[0].expect.fails: expected one of reset, empty, truncate, malformed, hang, found "resets"; did you mean reset?',
  ],
  [
    'walkthrough: [{ advance: 60 }]',
    '1:26: walkthrough[0].advance: expected a duration with its unit (write 60s or 60ms), found 60',
  ],
  [
    'walkthrough: [{ advance: 60s, expect: { status: 200 } }]',
    '1:31: walkthrough[0].expect: unknown field; known are note, advance',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, advance: 60s }]',
    '1:37: walkthrough[0].advance: not allowed next to call: move it to an item of its own',
  ],
  [
    'walkthrough: [{ advance: 60s, change: { do: reset } }]',
    '1:31: walkthrough[0].change: not allowed next to advance: move it to an item of its own',
  ],
  [
    'walkthrough: [{ change: reset }]',
    '1:25: walkthrough[0].change: expected a map of fields, found "reset"; write it like { do: banKey, key: demo-free, for: 2m }',
  ],
  [
    'walkthrough: [{ change: { do: bankey, key: a } }]',
    `1:31: walkthrough[0].change.do: expected one of ${commands}, found "bankey"; did you mean banKey?`,
  ],
  [
    'walkthrough: [{ change: { do: banKey, key: a, fr: 2m } }]',
    '1:47: walkthrough[0].change.fr: unknown field; did you mean for?',
  ],
  [
    'walkthrough: [{ change: { do: changeKey, key: a, used: { minute: -1 } } }]',
    '1:66: walkthrough[0].change.used.minute: expected a whole number of calls (0 to 2^52), found -1',
  ],
  [
    'walkthrough: [{ change: { do: addPet, name: Rex, categoryId: cat } }]',
    '1:62: walkthrough[0].change.categoryId: expected a whole number of at most 64 bits, found "cat"',
  ],
  [
    'walkthrough: [{ change: { do: useScenario, scenario: { sed: 1 } } }]',
    '1:56: walkthrough[0].change.scenario.sed: unknown field; did you mean seed?',
  ],
  [
    'walkthrough: [{ change: { do: advanceClock } }]',
    '1:25: walkthrough[0].change: expected either by, a duration, or to, an instant',
  ],
  [
    'walkthrough: [{ change: { do: advanceClock, by: null, to: null } }]',
    '1:25: walkthrough[0].change: expected either by, a duration, or to, an instant',
  ],
  [
    'walkthrough: [{ change: { do: advanceClock, by: 60s, to: 2030-01-01 } }]',
    '1:25: walkthrough[0].change: expected either by, a duration, or to, an instant',
  ],
  [
    'rules: [{ match: { path: /v1/pets }, when: {} }]',
    '1:9: rules[0]: the rule does nothing: expected then with a status, a body, a delay or a fault',
  ],
  ['rules: [{ then: { delay: {} } }]', '1:26: rules[0].then.delay: expected one of uniform and lognormal'],
  [
    'rules: [{}]',
    '1:9: rules[0]: the rule does nothing: expected then with a status, a body, a delay or a fault',
  ],
  [
    'rules: [{ then: { message: x } }]',
    '1:28: rules[0].then.message: this is part of a response, but the rule gives none: add a status',
  ],
  [
    'rules: [{ then: { delay: { uniform: [1s, 2s], lognormal: { median: 1s, p99: 2s } } } }]',
    '1:26: rules[0].then.delay: expected one of uniform and lognormal',
  ],
  [
    'rules: [{ match: { path: "/v1/{a}{b}" }, then: { status: 503 } }]',
    `1:26: rules[0].match.path: expected ${pathForm}, found "/v1/{a}{b}"`,
  ],
  [
    'rules: [{ match: { path: "/v1/pets/{petId}.json" }, then: { status: 503 } }]',
    `1:26: rules[0].match.path: expected ${pathForm}, found "/v1/pets/{petId}.json"`,
  ],
  ['key: ""', `1:6: key: expected ${keyForm}, found ""`],
  ['extends: ""', '1:10: extends: expected a shipped scenario, or the path of a file, found ""'],
  ['- a', '1:1: expected a map of fields, found a list'],
  ['# nothing', '1:1: expected a map of fields, found nothing'],
  [
    'walkthrough: [{ call: GET /v1/pets, save: { rex: id } }]',
    '1:50: walkthrough[0].save.rex: expected body, a field of it such as body.id or body[0].id, or a parameter of the next link such as next.cursor, found "id"',
  ],
]

/** What takes two fields, or more arithmetic than a schema has. */
const contradictions: readonly (readonly [string, string])[] = [
  [
    'rehearsal: { conduct: { allow: [banned], forbid: [no-backoff, banned] } }',
    '1:63: rehearsal.conduct.forbid[1]: banned is allowed too: remove it from allow or forbid',
  ],
  [
    'rehearsal: { recovers: 0s }',
    '1:24: rehearsal.recovers: expected none or a duration above 0, such as 60s, found "0s"',
  ],
  [
    'clock: { at: 2027-02-29T00:00:00Z }',
    `1:14: clock.at: expected ${clockStart}, found "2027-02-29T00:00:00Z"`,
  ],
  [
    'clock: { at: 1969-12-31T23:59:59Z }',
    `1:14: clock.at: expected ${clockStart}, found "1969-12-31T23:59:59Z"`,
  ],
  [
    'clock: { at: 9900-01-01T00:00:00Z }',
    `1:14: clock.at: expected ${clockStart}, found "9900-01-01T00:00:00Z"`,
  ],
  ['bans: { for: 999ms }', `1:14: bans.for: expected ${banLength}, found "999ms"`],
  ['bans: { escalate: { max: 0s } }', `1:26: bans.escalate.max: expected ${banLength}, found "0s"`],
  [
    'keys: { demo-free: { banned: 500ms } }',
    `1:30: keys.demo-free.banned: expected ${banLength}, found "500ms"`,
  ],
  [
    'keys: { demo-free: { used: { minute: 57, day: 12 } } }',
    '1:28: keys.demo-free.used: the calls of this minute count for the day too: expected day to be at least 57, found 12',
  ],
  [
    'events: [{ after: 1, change: { do: changeKey, key: demo-free, used: { minute: 10, day: 3 } } }]',
    '1:69: events[0].change.used: the calls of this minute count for the day too: expected day to be at least 10, found 3',
  ],
  ...[
    'Content-Type',
    'Transfer-Encoding',
    'Connection',
    'Date',
    'Link',
    'Location',
    'WWW-Authenticate',
    'Upgrade',
    'Trailer',
    'Set-Cookie',
    'X-Pet-Mock',
    'Access-Control-Allow-Origin',
    'Retry-After',
    'Cache-Control',
    'X-Content-Type-Options',
    'Preference-Applied',
  ].map(
    name =>
      [
        `limits: { names: { reset: ${name} } }`,
        `1:27: limits.names.reset: expected the name of a header that pet-mock does not write, found "${name}"`,
      ] as const,
  ),
  ...['X-Content-Type-Options', 'Preference-Applied'].map(
    name =>
      [
        `responses: { headers: { ${name}: x } }`,
        `1:25: responses.headers.${name}: expected the name of a header that pet-mock does not write as its name`,
      ] as const,
  ),
  [
    'limits: { names: { limit: X-A, reset: x-a } }',
    '1:39: limits.names.reset: another header has this name: letter case does not count',
  ],
  [
    'limits: { names: { reset: x-ratelimit-limit } }',
    '1:27: limits.names.reset: another header has this name: letter case does not count',
  ],
  [
    'responses: { headers: { X-A: x } }\nlimits: { names: { remaining: x-a } }',
    '2:31: limits.names.remaining: another header has this name: letter case does not count',
  ],
  [
    'limits: { dialect: both, names: { limit: RateLimit } }',
    '1:42: limits.names.limit: expected the name of a header that pet-mock does not write, found "RateLimit"',
  ],
  [
    'bans: off\nkeys: { demo-free: { banned: 90s } }',
    '2:30: keys.demo-free.banned: bans are off, so no key can be banned: remove banned, or "bans: off"',
  ],
  [
    'keys: { demo-free: { strikes: 10 } }',
    '1:31: keys.demo-free.strikes: a key with 10 refused calls is banned (bans.after): expected fewer strikes, or the time left of its ban, such as banned: 90s',
  ],
  [
    'bans: { after: 3 }\nkeys: { demo-free: { strikes: 50 } }',
    '2:31: keys.demo-free.strikes: a key with 3 refused calls is banned (bans.after): expected fewer strikes, or the time left of its ban, such as banned: 90s',
  ],
  [
    'clock: { scale: 0.001 }\nbans: { for: 37d }',
    '2:14: bans.for: on a clock of scale 0.001, "37d" is more than 100 years',
  ],
  [
    'clock: { scale: 0.01 }\nkeys: { demo-free: { banned: 366d } }',
    '2:30: keys.demo-free.banned: on a clock of scale 0.01, "366d" is more than 100 years',
  ],
  [
    'clock: { at: 2026-03-02T09:00:00Z, offset: 3m }',
    '1:44: clock.offset: the clock starts at a fixed instant: remove offset or at',
  ],
  [
    'clock: { offset: 25h }',
    '1:18: clock.offset: expected a duration of at most 24h with a sign, such as 3m or -3m, found "25h"',
  ],
  [
    'events: [{ after: 5, key: demo-fre, change: { do: deleteKey, key: demo-pro } }]',
    '1:27: events[0].key: unknown key "demo-fre"; did you mean demo-free?',
  ],
  [
    'events: [{ after: 5, change: { do: deleteKey, key: demo-prro } }]',
    '1:52: events[0].change.key: unknown key "demo-prro"; did you mean demo-pro?',
  ],
  [
    'bans: off\nevents: [{ after: 20s, change: { do: banKey, key: demo-free } }]',
    '2:38: events[0].change.do: bans are off, so no key can be banned',
  ],
  [
    'events: [{ after: 20s, change: { do: changeKey, key: demo-free, plan: gold } }]',
    '1:71: events[0].change.plan: unknown plan "gold"; known are free, pro, business, enterprise',
  ],
  [
    'events: [{ after: 1, change: { do: addRule, rule: { match: { key: nobody }, then: { status: 503 } } } }]',
    '1:67: events[0].change.rule.match.key: unknown key "nobody"; known are demo-free, demo-pro, demo-business, demo-enterprise',
  ],
  [
    'clock: { frozen: true, scale: 30 }',
    '1:31: clock.scale: a frozen clock does not run: remove scale or frozen',
  ],
  [
    'plans: { gold: { minute: 5 } }',
    '1:16: plans.gold: expected both minute and day, because this plan is not a shipped one',
  ],
  ['plans: { pro: null }', '1:15: plans.pro: the key demo-pro uses this plan, so the plan cannot be removed'],
  [
    'keys: { mine: { plan: gold } }',
    '1:23: keys.mine.plan: unknown plan "gold"; known are free, pro, business, enterprise',
  ],
  ['keys: { mine: {} }', '1:15: keys.mine: plan is missing: expected one of free, pro, business, enterprise'],
  ['keys: { demo-free: null }\nkey: demo-free', '2:6: key: unknown key "demo-free"; did you mean demo-pro?'],
  ['key: demo-fre', '1:6: key: unknown key "demo-fre"; did you mean demo-free?'],
  [
    'pets: { firstId: 9223372036854775808 }',
    '1:18: pets.firstId: expected an id (a whole number of at most 64 bits, 1 or more), found 9223372036854775808',
  ],
  [
    'pets: { firstId: 9223372036854775800 }',
    '1:18: pets.firstId: 100 pets that start at id 9223372036854775800 leave too few ids (int64) for new pets',
  ],
  [
    'pets: { firstId: 9223372036854775000 }',
    '1:18: pets.firstId: 100 pets that start at id 9223372036854775000 leave too few ids (int64) for new pets',
  ],
  [
    'pets: { gone: [1, 101] }',
    '1:19: pets.gone[1]: no pet ever had the id 101: the pets have the ids 1 to 100',
  ],
  ['pets: { count: 0, gone: [1] }', '1:26: pets.gone[0]: no pet ever had the id 1: there is no pet'],
  [
    'rules: [{ match: { key: demo-fre }, then: { status: 503 } }]',
    '1:25: rules[0].match.key: unknown key "demo-fre"; did you mean demo-free?',
  ],
  [
    'rules: [{ match: { key: my-* }, then: { status: 503 } }]',
    '1:25: rules[0].match.key: no key matches "my-*"; the keys are demo-free, demo-pro, demo-business, demo-enterprise',
  ],
  [
    'rules: [{ match: { plan: fre }, then: { status: 503 } }]',
    '1:26: rules[0].match.plan: unknown plan "fre"; did you mean free?',
  ],
  [
    'rules: [{ match: { operation: createPet, method: GET }, then: { status: 503 } }]',
    '1:50: rules[0].match.method: createPet has the method POST, so the rule can never act: remove method or operation',
  ],
  [
    'rules: [{ match: { operation: listPets, path: /v1/pet }, then: { status: 503 } }]',
    '1:47: rules[0].match.path: listPets is at /v1/pets, so the rule can never act: remove path or operation',
  ],
  [
    'rules: [{ when: { first: 2, after: 3 }, then: { status: 503 } }]',
    "1:26: rules[0].when.first: after: 3 calls skips the first 2 of a key's calls, so the rule can never act: raise first or lower after",
  ],
  [
    'rules: [{ when: { first: 2, every: 3 }, then: { status: 503 } }]',
    "1:26: rules[0].when.first: every: 3 selects none of the first 2 of a key's calls, so the rule can never act: raise first or lower every",
  ],
  [
    'rules: [{ when: { between: [40s, 10s] }, then: { status: 503 } }]',
    '1:34: rules[0].when.between[1]: expected a duration above the first',
  ],
  [
    'rules: [{ when: { between: [10s, 40s], after: 40s }, then: { status: 503 } }]',
    '1:47: rules[0].when.after: when.between ends before when.after begins, so the rule can never act',
  ],
  [
    'rules: [{ when: { after: 5m }, ttl: 5m, then: { status: 503 } }]',
    '1:37: rules[0].ttl: the ttl ends before the rule begins to act: expected a longer ttl',
  ],
  [
    'rules: [{ then: { code: out_for_lunch } }]',
    '1:25: rules[0].then.code: this is not a code of the API, so it does not set a status: add a status',
  ],
  [
    'rules: [{ then: { fault: reset, code: pet_not_fund } }]',
    '1:39: rules[0].then.code: this is not a code of the API, so it does not set a status; did you mean pet_not_found?',
  ],
  ...[
    ['204', 'truncate', 'this response'],
    ['200', 'malformed', 'this response'],
    ['304', 'slow', 'this response'],
  ].map(
    ([status, fault, what]) =>
      [
        `rules: [{ then: { status: ${status}, fault: ${fault} } }]`,
        `1:39: rules[0].then.fault: ${fault} breaks a body, and ${what} has none`,
      ] as const,
  ),
  [
    'rules: [{ then: { status: 503, body: "", fault: truncate } }]',
    '1:49: rules[0].then.fault: truncate breaks a body, and this response has none',
  ],
  [
    'rules: [{ match: { method: HEAD }, then: { fault: slow } }]',
    '1:51: rules[0].then.fault: slow breaks a body, and a response to HEAD has none',
  ],
  [
    'rules: [{ then: { delay: 1s, headers: { a: b } } }]',
    '1:39: rules[0].then.headers: this is part of a response, but the rule gives none: add a status',
  ],
  [
    'rules: [{ then: { status: 503, message: x, body: y } }]',
    '1:41: rules[0].then.message: this is part of the Error shape, which the body replaces: remove one of them',
  ],
  [
    'rules: [{ then: { status: 204, body: y } }]',
    '1:38: rules[0].then.body: a response with the status 204 has no body',
  ],
  [
    'rules: [{ then: { status: 200, message: x } }]',
    '1:41: rules[0].then.message: this is part of the Error shape, which requires a status of 400 or more, not 200',
  ],
  [
    'rules: [{ then: { status: 503, headers: { content-length: 5 } } }]',
    '1:59: rules[0].then.headers.content-length: pet-mock sets this header itself',
  ],
  [
    'rules: [{ then: { status: 503, headers: { a: 1, A: 2 } } }]',
    '1:52: rules[0].then.headers.A: this header is given twice: header names ignore case',
  ],
  [
    'rules: [{ then: { delay: 11m } }]',
    '1:26: rules[0].then.delay: expected a delay of at most 10m, found "11m" (to never answer, use fault: hang)',
  ],
  [
    'rules: [{ then: { delay: { uniform: [2s, 1s] } } }]',
    '1:42: rules[0].then.delay.uniform[1]: expected a duration that is not shorter than the first',
  ],
  [
    'rules: [{ then: { delay: { lognormal: { median: 900ms, p99: 80ms } } } }]',
    '1:61: rules[0].then.delay.lognormal.p99: expected a duration that is not shorter than the median',
  ],
  [
    'rules: [{ then: { delay: { lognormal: { median: 0s, p99: 80ms } } } }]',
    '1:49: rules[0].then.delay.lognormal.median: expected a duration above 0',
  ],
  [
    'rules: [{ name: a, then: { status: 503 }, times: 1 }, { name: a, then: { status: 500 } }]',
    '1:63: rules[1].name: rules[0] is also named "a": give each rule its own name',
  ],
  [
    'rules: [{ name: outage, then: { status: 503 } }]\nevents: [{ after: 2, change: { do: changeRule, name: outrage, on: false } }]',
    '2:54: events[0].change.name: unknown rule "outrage"; did you mean outage?',
  ],
  [
    'events: [{ after: 2, change: { do: deleteRule, name: outage } }]',
    '1:54: events[0].change.name: there are no rules',
  ],
  [
    'events: [{ after: 2, change: { do: changePet, id: 4711, status: sold } }]',
    "1:51: events[0].change.id: no pet has the id 4711 by then: the scenario's pets have the ids 1 to 100",
  ],
  [
    'events: [{ after: 2 calls, change: { do: deletePet, id: 103 } }]',
    "1:57: events[0].change.id: no pet has the id 103 by then: the scenario's pets have the ids 1 to 100",
  ],
  [
    'pets: { gone: [13] }\nevents: [{ after: 20s, change: { do: deletePet, id: 13 } }]',
    '2:53: events[0].change.id: no pet has the id 13 by then: pets.gone lists it',
  ],
  [
    'pets: { firstId: 1000 }\nevents: [{ after: 20s, change: { do: deletePet, id: 999 } }]',
    "2:53: events[0].change.id: no pet has the id 999 by then: the scenario's pets have the ids 1000 to 1099",
  ],
  [
    'clock: { at: 2026-03-02T09:00:00Z }\nevents: [{ after: 2, change: { do: freezeClock, at: 2026-03-02T08:59:59Z } }]',
    '2:53: events[0].change.at: the clock is at 2026-03-02T09:00:00Z by then, and only a reset moves it back: expected a later instant',
  ],
  [
    'clock: { at: 2026-03-02T09:00:00Z }\nevents: [{ after: 20s, change: { do: advanceClock, to: 2026-03-02T09:00:19Z } }]',
    '2:56: events[0].change.to: the clock is at 2026-03-02T09:00:20Z by then, and only a reset moves it back: expected a later instant',
  ],
  [
    'clock: { at: 2026-03-02T09:00:00Z }\nevents: [{ after: 1, change: { do: advanceClock, by: 1h } }, { after: 2, change: { do: advanceClock, to: 2026-03-02T09:59:00Z } }]',
    '2:106: events[1].change.to: the clock is at 2026-03-02T10:00:00Z by then, and only a reset moves it back: expected a later instant',
  ],
  [
    'deprecation: { since: 2031-01-01T00:00:00Z }',
    '1:23: deprecation.since: the deprecation comes after the removal',
  ],
  [
    'deprecation: { brownouts: [{ from: 2026-01-02T00:00:00Z, to: 2026-01-02T00:00:00Z }] }',
    '1:62: deprecation.brownouts[0].to: expected an instant after from',
  ],
  ...[
    'Host',
    'content-length',
    'Transfer-Encoding',
    'Connection',
    'Keep-Alive',
    'Proxy-Connection',
    'Upgrade',
    'TE',
    'Trailer',
    'Expect',
  ].map(
    name =>
      [
        `walkthrough: [{ call: GET /v1/pets, headers: { ${name}: x } }]`,
        `1:${50 + name.length}: walkthrough[0].headers.${name}: pet-mock sets this header itself`,
      ] as const,
  ),
  [
    'walkthrough: [{ call: GET /v1/pets, headers: { X-A: 1, x-a: 2 } }]',
    '1:61: walkthrough[0].headers.x-a: this header is given twice: header names ignore case',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, repeat: 2, parallel: 2 }]',
    '1:58: walkthrough[0].parallel: repeat and parallel exclude each other: remove one of them',
  ],
  [
    'walkthrough: [{ call: "GET /v1/pets/${rex}", save: { rex: body.id } }]',
    '1:23: walkthrough[0].call: no earlier step saves rex: add save: { rex: body.id } to the step whose answer has it',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, parallel: 2, save: { rex: body.id } }]',
    '1:56: walkthrough[0].save: parallel calls have no last answer to save from',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, expect: { status: 200, statuses: { 200: 1 } } }]',
    '1:70: walkthrough[0].expect.statuses: status and statuses exclude each other: remove one of them',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, repeat: 3, expect: { statuses: { 200: 1, 429: 1 } } }]',
    '1:68: walkthrough[0].expect.statuses: the counts add up to 2, but the step makes 3 calls',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, parallel: 3, expect: { status: 200, length: 20 } }]',
    '1:81: walkthrough[0].expect.length: parallel calls have no last answer: expect status or statuses',
  ],
  [
    'walkthrough: [{ change: { do: useScenario, scenario: bam } }]',
    '1:54: walkthrough[0].change.scenario: no shipped scenario is named "bam"; did you mean ban?',
  ],
  [
    'walkthrough: [{ change: { do: useScenario, scenario: { extends: bam } } }]',
    '1:65: walkthrough[0].change.scenario.extends: no shipped scenario is named "bam"; did you mean ban?',
  ],
  [
    'walkthrough: [{ change: { do: useScenario, scenario: { extends: ban, key: mine } } }]',
    '1:75: walkthrough[0].change.scenario.key: unknown key "mine"; known are demo-free, demo-pro, demo-business, demo-enterprise',
  ],
  [
    'walkthrough: [{ change: { do: useScenario, scenario: { walkthrough: [{ change: { do: useScenario, scenario: bam } }] } } }]',
    '1:109: walkthrough[0].change.scenario.walkthrough[0].change.scenario: no shipped scenario is named "bam"; did you mean ban?',
  ],
  [
    'walkthrough: [{ change: { do: addRule, rule: { then: { status: 204, body: x } } } }]',
    '1:75: walkthrough[0].change.rule.then.body: a response with the status 204 has no body',
  ],
  [
    'walkthrough: [{ call: HEAD /v1/pets, expect: { status: 200, body: [] } }]',
    '1:67: walkthrough[0].expect.body: an answer to HEAD has no body',
  ],
  [
    'walkthrough: [{ call: HEAD /v1/pets, expect: { length: 0 } }]',
    '1:56: walkthrough[0].expect.length: an answer to HEAD has no body',
  ],
  [
    'walkthrough: [{ call: HEAD /v1/pets, expect: { fails: truncate } }]',
    '1:55: walkthrough[0].expect.fails: an answer to HEAD has no body that could break',
  ],
  ...[204, 205, 304].map(
    status =>
      [
        `walkthrough: [{ call: OPTIONS /v1/pets, expect: { status: ${status}, body: null } }]`,
        `1:70: walkthrough[0].expect.body: an answer with the status ${status} has no body`,
      ] as const,
  ),
  [
    'walkthrough: [{ call: GET /v1/pets, expect: { body: [], length: 2 } }]',
    '1:65: walkthrough[0].expect.length: the list in body has 0 items: remove length',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, expect: { body: {}, length: 2 } }]',
    '1:65: walkthrough[0].expect.length: only a list has a length, but body is not a list: remove one of them',
  ],
  [
    'walkthrough: [{ call: GET /v1/pets, expect: { fails: reset, status: 200 } }]',
    '1:54: walkthrough[0].expect.fails: a call that fails has no answer: remove the other expectations',
  ],
]

export const brokenFiles: readonly BrokenFile[] = [
  ...badFields.map(([text, complaint]) => ({ text, complaint, bySchema: true })),
  ...contradictions.map(([text, complaint]) => ({ text, complaint, bySchema: false })),
]
