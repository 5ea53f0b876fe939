import { anyText, flags, shownTexts, texts } from '../../../base/text/constraint.ts'
import { keyNames, seeds } from '../../../emulator/worlds/constraints.ts'
import { planList } from '../../../service/plans/plan.ts'
import { field, jsonMap, list, map, type Shape } from '../../fields/field.ts'
import { bans, conventions, deprecation, limits } from './behaviour.ts'
import { events } from './events.ts'
import { rule } from './rules.ts'
import { clock, keys, pets, plans } from './world.ts'

const baseNames = {
  ...texts('a shipped scenario, or the path of a file', /./s),
  schema: { type: 'string', minLength: 1 },
}

/** Every setting but the walkthrough, in the order in which people read them. */
const settings = {
  $schema: field(anyText, 'The path of the schema, for editors of JSON files.', [
    './node_modules/pet-mock/schemas/scenario.schema.json',
  ]),
  title: field(shownTexts, 'The title. Not inherited. Default: the name of the file.', [
    'Rate limit exhaustion',
  ]),
  description: field(shownTexts, 'What the scenario shows, in a sentence or two. Not inherited.', [
    'Three requests are left in this minute; the fourth gets 429 until the window resets.',
  ]),
  extends: field(
    baseNames,
    'A shipped scenario or the path of a file to build on. Maps are merged, lists are replaced, null removes.',
    ['free-plan', './base.yaml'],
  ),
  key: field(keyNames, 'The key for the banner, PET_MOCK_KEY and walkthroughs.', ['demo-pro'], {
    default: 'demo-free',
  }),
  seed: field(seeds, 'The seed of all randomness: generated pets, rules.', [7], { default: 1 }),
  reset: field(
    flags,
    'With --watch, saving the file restarts every sandbox. Otherwise pets and counts stay.',
    [true],
    { default: false },
  ),
  clock: field(clock, 'The clock for everything. Default: real time.', [
    { at: '2026-03-02T09:00:00Z', frozen: true },
  ]),
  plans: field(
    plans,
    `Plans by name, merged with ${planList}.`,
    [{ enterprise: { minute: 5000, day: 500_000 } }],
    { assumption: 'A11' },
  ),
  keys: field(keys, "API keys by name, merged with the fixtures' keys.", [
    { 'demo-free': { used: { minute: 57, day: 412 } } },
  ]),
  pets: field(pets, 'The pets in the store.', [{ count: 100, gone: [13] }]),
  rules: field(list(rule), 'Injected faults. The first rule that matches a call acts on it.', [
    [{ match: { operation: 'createPet' }, when: { first: 2 }, then: { status: 503 } }],
  ]),
  events: field(events, 'Changes that happen while a client runs. Each happens once, when a call arrives.', [
    [{ after: '5 calls', change: { do: 'changeKey', key: 'demo-free', revoked: true } }],
  ]),
  limits: field(limits, 'How the rate limits work.', [{ window: 'calendar' }]),
  bans: field(
    bans,
    'When refused calls ban a key, and for how long. With off, they never do.',
    ['off', { after: 3, for: '60s' }],
    { assumption: 'A10' },
  ),
  ...conventions.fields,
  deprecation: field(
    deprecation,
    'The deprecation and the removal of GET /pets/{petId}.',
    [{ since: '2026-01-01T00:00:00Z', after: 410 }],
    { assumption: 'A17' },
  ),
}

/** `walkthrough`: the shape of its steps. `rehearsal`: the shape of what it expects of a client. */
export function scenarioOf<W extends Shape, R extends Shape>(walkthrough: W, rehearsal: R) {
  return map({
    ...settings,
    rehearsal: field(rehearsal, 'What is expected of a client in this situation. Not inherited.', [
      { expects: 'success', recovers: '60s' },
    ]),
    walkthrough: field(
      walkthrough,
      'The steps of a client. `pet-mock scenarios play` runs and checks them. Not inherited.',
      [[{ call: 'GET /v1/pets', expect: { status: 200 } }, { advance: '60s' }]],
    ),
  })
}

/** A scenario that a program writes. Nothing plays its walkthrough or rehearses it, so neither is checked, nor in the bundle. */
export const scenario = scenarioOf(list(jsonMap), jsonMap)
