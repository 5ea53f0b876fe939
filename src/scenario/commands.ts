import { change, type Outcome } from '../change/change.ts'
import type { Command } from '../change/command.ts'
import type { SettleScenario } from '../change/worlds.ts'
import type { Sandboxes } from '../emulator/sandboxes.ts'
import { check } from '../files/check.ts'
import { suggest } from '../files/did-you-mean.ts'
import { documentOf } from '../files/document.ts'
import { about, showValue } from '../files/show.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import type { JsonValue } from '../json/value.ts'
import { crossCheck } from './cross-check.ts'
import type { RuleFields, ScenarioFile } from './file.ts'
import { extendScenario } from './merge.ts'
import { settleChecked } from './settle.ts'
import { settleAddedRule } from './settle-added-rule.ts'
import { shippedScenarios } from './shipped.ts'

/** Does a command: see `change`, of which it is the form that knows scenarios. */
export type Change = (
  sandbox: string | undefined,
  command: Command<ScenarioFile, RuleFields>,
  now: number,
) => Outcome

export function createChange(sandboxes: Sandboxes, fixtures: Fixtures): Change {
  const changeable = { sandboxes, settle: createSettle(fixtures), settleRule: settleAddedRule }
  return (sandbox, command, now) => change(changeable, sandbox, command, now)
}

function createSettle(fixtures: Fixtures): SettleScenario {
  return (scenario, name) => {
    if (typeof scenario !== 'string') return settleFile(scenario as ScenarioFile, name ?? 'unnamed', fixtures)
    const shipped = shippedScenarios.get(scenario)
    if (shipped === undefined) return { problems: [`scenario: ${unknownScenario(scenario)}`] }
    return settleFile(shipped, name ?? scenario, fixtures)
  }
}

function settleFile(own: ScenarioFile, name: string, fixtures: Fixtures): ReturnType<SettleScenario> {
  const base = shippedScenarios.get(own.extends ?? '')
  if (base === undefined && typeof own.extends === 'string')
    return { problems: [`scenario.extends: ${unknownScenario(own.extends)}`] }
  const file = extendScenario(base ?? {}, own)
  const problems = crossCheck(file, fixtures).map(({ path, message }) =>
    about(['scenario', ...path], message),
  )
  if (problems.length > 0) return { problems }
  return { scenario: settleChecked(name, { ...file, title: file.title ?? name }, fixtures) }
}

function unknownScenario(name: string): string {
  const known = [...shippedScenarios.keys()]
  return `no shipped scenario is named ${showValue(name)}${suggest(name, known) || `; there are ${known.join(', ')}`}`
}

export type CommandReading =
  | { readonly ok: true; readonly command: Command<ScenarioFile, RuleFields> }
  /** Each is of the form `path: what is wrong`. */
  | { readonly ok: false; readonly problems: readonly string[] }

/** Reads a command that comes from outside, with int64s exact (`readJson`), or tells everything that is wrong with it. */
export async function readCommand(value: JsonValue): Promise<CommandReading> {
  const { commandSchema } = await import('./schema.ts')
  const reading = check(commandSchema, documentOf(value))
  if (reading.ok) return { ok: true, command: reading.value }
  return { ok: false, problems: reading.complaints.map(({ message }) => message) }
}
