import { parseInt64 } from '../../../base/json/int64.ts'
import type { Sandboxes } from '../../../emulator/worlds/sandboxes.ts'
import { change, type Outcome } from '../../change/change.ts'
import type { SettleScenario } from '../../change/worlds.ts'
import { about } from '../../files/show.ts'
import type { Fixtures } from '../../fixtures/fixtures.ts'
import { crossCheck } from '../checks/cross-check.ts'
import type { ScenarioCommand, ScenarioFile } from '../file.ts'
import { wholeScenario } from '../named-scenario.ts'
import { shippedScenarios } from '../shipped.ts'
import { settleChecked } from './settle.ts'
import { settleAddedRule } from './settle-added-rule.ts'

/** Runs a command, as `change` does, and settles its scenarios and rules. */
export type Change = (sandbox: string | undefined, command: ScenarioCommand, now: number) => Outcome

export function createChange(sandboxes: Sandboxes, fixtures: Fixtures): Change {
  const changeable = { sandboxes, settle: createSettle(fixtures), settleRule: settleAddedRule }
  return (sandbox, command, now) => change(changeable, sandbox, command, now)
}

function createSettle(fixtures: Fixtures): SettleScenario {
  return (scenario, name) => {
    const written = scenario as string | ScenarioFile
    const file = wholeScenario(written, shippedScenarios)
    const problems = 'message' in file ? [file] : crossCheck(file, fixtures)
    if ('message' in file || problems.length > 0)
      return { problems: problems.map(({ path, message }) => about(['scenario', ...path], message)) }
    const called = name ?? (typeof written === 'string' ? written : 'unnamed')
    return { scenario: settleChecked(called, { ...file, title: file.title ?? called }, fixtures) }
  }
}

/** A command whose ids may be digits in text: JSON clients lose integers beyond 2^53. */
export function withExactIds(command: ScenarioCommand): ScenarioCommand {
  const exact = Object.entries(command).map(([name, value]) => {
    const isDigits = (name === 'id' || name === 'categoryId') && typeof value === 'string'
    return [name, isDigits ? parseInt64(value) : value]
  })
  return Object.fromEntries(exact)
}
