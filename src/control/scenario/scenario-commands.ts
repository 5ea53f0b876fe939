import type { JsonValue } from '../../base/json/value.ts'
import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import { change, type Outcome } from '../change/change.ts'
import type { Command } from '../change/command.ts'
import type { SettleScenario } from '../change/worlds.ts'
import { check } from '../files/check.ts'
import { documentOf } from '../files/document.ts'
import { about } from '../files/show.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import { crossCheck } from './checks/cross-check.ts'
import type { RuleFields, ScenarioFile } from './file.ts'
import { wholeScenario } from './named-scenario.ts'
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
    const written = scenario as string | ScenarioFile
    const file = wholeScenario(written, shippedScenarios)
    const objections = 'message' in file ? [file] : crossCheck(file, fixtures)
    if ('message' in file || objections.length > 0)
      return { problems: objections.map(({ path, message }) => about(['scenario', ...path], message)) }
    const called = name ?? (typeof written === 'string' ? written : 'unnamed')
    return { scenario: settleChecked(called, { ...file, title: file.title ?? called }, fixtures) }
  }
}

export type CommandReading =
  | { readonly ok: true; readonly command: Command<ScenarioFile, RuleFields> }
  /** Each is of the form `path: what is wrong`. */
  | { readonly ok: false; readonly problems: readonly string[] }

/** Reads a command that comes from outside, with int64s exact (`readJson`), or tells everything that is wrong with it. */
export async function readCommand(value: JsonValue): Promise<CommandReading> {
  const { commandSchema } = await import('./schema/schema.ts')
  const reading = check(commandSchema, documentOf(value))
  if (reading.ok) return { ok: true, command: reading.value }
  return { ok: false, problems: reading.complaints.map(({ message }) => message) }
}
