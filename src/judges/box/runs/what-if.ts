import { readJson } from '../../../base/json/read.ts'
import { suggest } from '../../../base/text/did-you-mean.ts'
import { groupDigits } from '../../../base/text/quantities.ts'
import { check } from '../../../control/fields/check.ts'
import type { Problem } from '../../../control/fields/problem.ts'
import { about, showValue } from '../../../control/files/show.ts'
import { shippedFixtures } from '../../../control/fixtures/fixtures.ts'
import { assumedSettings, settingAt } from '../../../control/profile/assumed.ts'
import { underScenario } from '../../../control/profile/serve.ts'
import { crossCheck } from '../../../control/scenario/checks/cross-check.ts'
import { overlay } from '../../../control/scenario/extend.ts'
import type { Command, RuleFields, ScenarioFile } from '../../../control/scenario/file.ts'
import { command as commandShape } from '../../../control/scenario/settings/scenario-file.ts'
import { settleChecked } from '../../../control/scenario/settle/settle.ts'
import { behaviourFields } from '../../../control/situation/behaviour-fields.ts'
import { splitKey } from '../../../emulator/worlds/sandboxes.ts'
import type { Profile } from '../../../emulator/worlds/scenario.ts'
import { looksOf } from '../../../emulator/worlds/world.ts'
import type { Call } from '../../../service/call/call.ts'
import { readCredential } from '../../../service/keys/credential.ts'
import type { BoxPlayer } from '../play-box.ts'
import type { Box } from '../read-box.ts'
import { differenceOf, nameOf } from './diff.ts'
import type { CallPair } from './pair-calls.ts'

/** What is otherwise from a call on, in the sandbox of that call: a command, which may be about its key, or settings. */
export type Otherwise =
  | { readonly commands: (key: string) => readonly Command[] }
  | { readonly fields: ScenarioFile; readonly profile?: Profile | undefined }

/** Reads `plan=pro`, `ban=off`, `ban=5m`, or a setting such as `limits.retryAfter=http-date`. A text says what is wrong. */
export function readOtherwise(text: string): Otherwise | string {
  const [, name = '', value = ''] = /^([\w.-]+)=(.+)$/s.exec(text) ?? []
  if (name === '') return `expected NAME=VALUE, such as plan=pro, found ${showValue(text)}`
  if (name === 'plan') return { commands: key => [{ do: 'changeKey', key, plan: value }] }
  if (name === 'ban' && value === 'off') return { commands: key => [{ do: 'unbanKey', key }] }
  if (name === 'ban') return { commands: key => [{ do: 'banKey', key, for: value as `${number}s` }] }
  const known = ['plan', 'ban', ...assumedSettings.map(({ path }) => path)]
  if (!known.some(path => path === name || path.startsWith(`${name}.`)))
    return `unknown setting ${showValue(name)}${suggest(name, known) || '; there are plan, ban and those of docs/assumptions.md'}`
  const reading = readJson(value)
  return { fields: settingAt(name, 'value' in reading ? reading.value : value) }
}

export function withRules(rules: readonly RuleFields[]): Otherwise {
  // Each added rule comes before all others.
  return { commands: () => rules.toReversed().map(rule => ({ do: 'addRule', rule })) }
}

/**
 * Plays a run twice, once with something otherwise from a call on, and compares the responses. `play` begins at the start.
 * Resolves with what is wrong with the change, if it is impossible. Rejects with a BoxError if there is no such call.
 */
export async function playWhatIf(
  { steps }: Box,
  play: () => Promise<BoxPlayer>,
  from: number,
  otherwise: Otherwise,
) {
  const [usual, changed] = [await play(), await play()]
  await usual.to(from)
  await changed.to(from)
  const first = steps.find(step => step.kind === 'call' && step.number === from)
  if (first?.kind !== 'call') return `there is no call ${from}`
  const problem = changeBefore(first.call, changed, otherwise)
  if (problem !== undefined) return problem
  const different: CallPair[] = []
  let calls = 0
  for (;;) {
    const [one, other] = [await usual.step(), await changed.step()]
    if (one === undefined || other === undefined) return { calls, different }
    if (one.exchange === undefined || other.exchange === undefined) continue
    calls += 1
    const { number } = one
    const pair = { green: { number, exchange: one.exchange }, red: { number, exchange: other.exchange } }
    if (differenceOf(pair, true) !== undefined) different.push(pair)
  }
}

/** Changes the world of a call. Returns what is wrong with the change. */
function changeBefore(
  { headers, receivedAt }: Call,
  { emulator: { sandboxes }, change }: BoxPlayer,
  otherwise: Otherwise,
): string | undefined {
  const { world, key } = sandboxes.find(splitKey(readCredential(headers)), receivedAt)
  if ('commands' in otherwise) {
    for (const command of otherwise.commands(key?.text ?? '')) {
      if ('key' in command && key === undefined) return 'the call has no valid key: name one that has'
      const problems = check(commandShape, command)
      if (problems.length > 0) return wrong(problems)
      const outcome = change(world.sandbox, command, receivedAt)
      if (!outcome.ok) return outcome.refusal.message
    }
    return undefined
  }
  const { fields, profile } = otherwise
  const { behaviour } = world.scenario
  const file = overlay(behaviourFields(behaviour), fields)
  const problems = crossCheck(profile ? underScenario(file, profile) : file, shippedFixtures)
  if (problems.length > 0) return wrong(problems)
  const settled = settleChecked('what if', file, shippedFixtures, { profile }).behaviour
  world.scenario = { ...world.scenario, behaviour: { ...settled, defaultStatus: behaviour.defaultStatus } }
  Object.assign(world, looksOf(world.scenario, world.pets))
  return undefined
}

function wrong(problems: readonly Problem[]): string {
  return problems.map(({ path, message }) => about(path, message)).join('; ')
}

/** The result in sentences. `calls`: how many responses were compared. */
export function whatIfLines(
  { calls, different }: { readonly calls: number; readonly different: readonly CallPair[] },
  from: number,
): readonly string[] {
  const [first] = different
  const head = `From call ${from} on, other responses: ${groupDigits(different.length)} of ${groupDigits(calls)}`
  if (first === undefined) return [`${head}. The change makes no difference.`]
  const line = (pair: CallPair) => `${nameOf(pair)} ${differenceOf(pair, true)}.`
  const decided = different.filter(
    ({ green, red }) => green?.exchange.reply.status !== red?.exchange.reply.status,
  )
  const [other] = decided
  return [
    `${head}, ${decided.length} of them in the status.`,
    `The first: ${line(first)}`,
    ...(other === undefined || other === first ? [] : [`The first with another status: ${line(other)}`]),
  ]
}
