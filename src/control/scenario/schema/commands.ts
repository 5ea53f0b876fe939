import * as z from 'zod'
import { anyInt64 } from '../../../base/text/constraint.ts'
import { banLengths, sandboxNames } from '../../../emulator/worlds/constraints.ts'
import { petStatuses } from '../../../service/pets/pet.ts'
import { duration, instant, int64OrDigits, shownText, text } from '../../files/shapes.ts'
import { keyNameSchema } from '../../fixtures/schema.ts'
import type { ScenarioFile } from '../file.ts'
import { field, given } from './field.ts'
import { ruleSchema } from './rules.ts'
import { snapshotSchema } from './snapshot.ts'
import { clockSchema, keySchema } from './world.ts'

const key = keyNameSchema.meta({ description: 'The API key.', examples: ['demo-free'] })
const id = int64OrDigits({
  ...anyInt64,
  expected: 'the id of a pet (a whole number of at most 64 bits)',
}).meta({
  description: "The pet's id; beyond 2^53, its digits as text are read as well.",
  examples: [5, '9007199254740993'],
})
const categoryId = int64OrDigits(anyInt64).meta({
  description: 'The category the animal belongs to. It need not exist.',
  examples: [1],
})
const name = z.string().meta({ description: "The animal's name.", examples: ['Rex'] })
const status = field(z.enum(petStatuses), "The pet's availability; null: none.", { examples: ['sold'] })
const { plan, used, limits, revoked, expires, strikes, banned } = keySchema.shape

function verb<Name extends string, Shape extends z.ZodRawShape>(name: Name, about: string, fields: Shape) {
  return z.strictObject({ do: z.literal(name).meta({ description: about, examples: [name] }), ...fields })
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** The one definition of what a command from outside must be: in a story, over the admin plane, in a program. */
export function createCommandSchema(scenario: z.ZodType<ScenarioFile>) {
  return z.discriminatedUnion('do', [
    verb('freezeClock', 'Stops the clock.', {
      at: field(
        instant(),
        'Where it stops, which is not before its present time. Without it: where it stands.',
        {
          examples: ['2026-03-02T09:30:00Z'],
        },
      ),
    }),
    verb('advanceClock', 'Moves the clock forward, by a duration or to an instant.', {
      by: field(duration(), 'How far.', { examples: ['60s'] }),
      to: field(instant(), 'Where to.', { examples: ['2030-12-05T00:00:00Z'] }),
    })
      .refine(({ by, to }) => isSaid(by) !== isSaid(to), {
        error: 'either by, a duration, or to, an instant',
        params: { ofFields: true },
      })
      .meta(given('oneOf', ['by', 'to'], { type: 'string' })),
    verb('resumeClock', 'Lets the clock run.', { scale: clockSchema.shape.scale }),
    verb(
      'resetClock',
      'Sets the clock as the scenario starts it; back in time, windows, strikes and bans end.',
      {},
    ),
    verb('addKey', 'Adds an API key.', {
      key,
      plan: z.string().meta({ description: "The key's plan.", examples: ['free', 'pro'] }),
      used,
      strikes,
      banned,
      revoked,
      expires,
      limits,
    }),
    verb('changeKey', 'Changes a key; what is not named stays.', {
      key,
      plan,
      used,
      limits,
      revoked,
      expires,
    }),
    verb('deleteKey', 'Deletes a key: from then on it is unknown.', { key }),
    verb('banKey', 'Bans a key from now on.', {
      key,
      for: field(duration(banLengths), "How long. Without it: as long as the scenario's bans are.", {
        examples: ['2m'],
      }),
    }),
    verb('unbanKey', 'Lifts the ban of a key, and wipes its strikes.', { key }),
    verb('addPet', 'Adds a pet, with the next id.', { name, categoryId, status }),
    verb('changePet', 'Changes a pet; what is not named stays.', {
      id,
      name: field(name, "The animal's name.", { examples: ['Rex'] }),
      categoryId: field(categoryId, 'The category the animal belongs to.', { examples: [1] }),
      status,
    }),
    verb('deletePet', 'Deletes a pet. Its id stays used up.', { id }),
    verb('addRule', 'Adds a rule, which goes first; its time begins now.', {
      rule: ruleSchema.meta({
        description: 'A rule, as a scenario has it. One of the same name makes room for it.',
        examples: [{ name: 'outage', then: { status: 503 } }],
      }),
    }),
    verb('removeRule', 'Removes a rule.', {
      name: z.string().meta({ description: "The rule's name.", examples: ['outage'] }),
    }),
    verb('setScenario', 'Starts anew from another scenario.', {
      scenario: z
        .union([z.string(), scenario], { error: 'the name of a shipped scenario, or a map of fields' })
        .meta({
          description: 'The name of a shipped scenario, or a scenario as a file has it.',
          examples: ['after-removal', { extends: 'ban', seed: 7 }],
        }),
      name: field(shownText(), 'What a scenario that is written out is to be called.', {
        examples: ['my-scenario'],
      }),
    }),
    verb('reset', 'Starts anew from the scenario.', {}),
    verb('restoreSnapshot', 'Puts everything back as a snapshot has it.', {
      snapshot: snapshotSchema,
    }),
    verb('clearRequests', 'Empties the journal.', {}),
    verb('createSandbox', 'Creates a sandbox; does nothing if it exists.', {
      name: text(sandboxNames).meta({ description: "The sandbox's name.", examples: ['worker-3'] }),
    }),
    verb('dropSandbox', 'Forgets a sandbox.', {}),
  ])
}
