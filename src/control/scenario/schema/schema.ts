import * as z from 'zod'
import { seeds } from '../../../emulator/worlds/constraints.ts'
import type { Command } from '../../change/command.ts'
import { shownText, wholeNumber } from '../../files/shapes.ts'
import { keyNameSchema } from '../../fixtures/schema.ts'
import type { RuleFields, ScenarioFile } from '../file.ts'
import { bansSchema, deprecationSchema, limitsSchema } from './behaviour.ts'
import { createCommandSchema } from './commands.ts'
import { field } from './field.ts'
import { rulesSchema } from './rules.ts'
import { createWalkthroughSchema } from './walkthrough.ts'
import { clockSchema, keysSchema, petsSchema, plansSchema } from './world.ts'

/** Commands from outside. A whole scenario may stand in one, in whose story commands may stand. */
export const commandSchema = createCommandSchema(
  z.lazy((): z.ZodType<ScenarioFile> => scenarioSchema),
) satisfies z.ZodType<Command<ScenarioFile, RuleFields>>

/**
 * The one schema of scenario files: it checks them, and schemas/scenario.schema.json, which editors complete and
 * explain by, is printed from it. Defaults are told to editors only: an absent field stays absent, to be merged.
 */
export const scenarioSchema = z.strictObject({
  $schema: field(z.string(), 'Where the schema of this file is, for editors of JSON files.', {
    examples: ['./node_modules/pet-mock/schemas/scenario.schema.json'],
  }),
  title: field(shownText(), 'What the scenario is called.', { examples: ['Rate limit exhaustion'] }),
  description: field(shownText(), 'What it shows, in a sentence or two.', {
    examples: ['Three requests are left in this minute; the fourth gets 429 until the window resets.'],
  }),
  extends: field(
    z.string().min(1, { error: 'a shipped scenario, or the path of a file' }),
    'A shipped scenario, or the path of a file, from which this one differs. Maps are merged, lists replaced, null removes.',
    {
      examples: ['free-plan', './base.yaml'],
    },
  ),
  key: field(keyNameSchema, 'The key that the scenario is about: the banner and stories use it.', {
    default: 'demo-free',
    examples: ['demo-pro'],
  }),
  seed: field(wholeNumber(seeds), 'All chance comes from it: made-up pets, rules.', {
    default: 1,
    examples: [7],
  }),
  reset: field(
    z.boolean(),
    'Whether a save starts every sandbox anew, when it is served with --watch; else pets and counts go on.',
    { default: false, examples: [true] },
  ),
  clock: field(clockSchema, 'The clock that everything runs by. Without it: real time.', {
    examples: [{ at: '2026-03-02T09:00:00Z', frozen: true }],
  }),
  plans: field(plansSchema, 'Plans by name, merged with free, pro, business and enterprise.', {
    examples: [{ enterprise: { minute: 5000, day: 500_000 } }],
  }),
  keys: field(keysSchema, "API keys, merged with the fixtures' keys.", {
    examples: [{ 'demo-free': { used: { minute: 57, day: 412 } } }],
  }),
  pets: field(petsSchema, 'The pets in the store.', { examples: [{ count: 100, gone: [13] }] }),
  rules: field(rulesSchema, 'What goes wrong, and when: of the rules that fit a call, the first acts.', {
    examples: [[{ match: { operation: 'createPet' }, when: { first: 2 }, then: { status: 503 } }]],
  }),
  limits: field(limitsSchema, 'How the rate limits work.', { examples: [{ window: 'calendar' }] }),
  bans: field(bansSchema, 'When refused calls lead to a ban of the key, and which; off: never (A10).', {
    examples: ['off', { after: 3, for: '60s' }],
  }),
  pageSize: field(
    z.enum(['reject', 'clamp']),
    'A limit out of 1 to 100 is refused, or taken as the nearest in range (A12).',
    {
      default: 'reject',
      examples: ['clamp'],
    },
  ),
  pagination: field(
    z.enum(['link', 'none']),
    'Whether a list tells by a Link header where its next page is (A15).',
    {
      default: 'link',
      examples: ['none'],
    },
  ),
  deprecation: field(deprecationSchema, 'The deprecation and the removal of GET /pets/{petId} (A17).', {
    examples: [{ since: '2026-01-01T00:00:00Z', after: 410 }],
  }),
  walkthrough: field(
    createWalkthroughSchema(commandSchema),
    "A client's story, step by step: `pet-mock scenarios play` acts it out and checks it.",
    { examples: [[{ call: 'GET /v1/pets', expect: { status: 200 } }, { advance: '60s' }]] },
  ),
}) satisfies z.ZodType<ScenarioFile>
