import type { Command } from '../../change/command.ts'
import type { Problem } from '../../fields/check.ts'
import type { Path } from '../../files/show.ts'
import type { Fixtures } from '../../fixtures/fixtures.ts'
import type { RuleFields, ScenarioFile } from '../file.ts'
import { wholeScenario } from '../named-scenario.ts'
import type { Step } from '../walkthrough.ts'
import { crossCheck } from './cross-check.ts'
import { checkRuleItself } from './rules.ts'

/**
 * The changes of a story that are refused whenever they are made. Whether there is a key to ban, or a rule to remove, is
 * decided by what came before: that is for playing it.
 */
export function checkChanges(
  steps: readonly Step[],
  fixtures: Fixtures,
  shipped: ReadonlyMap<string, ScenarioFile>,
): readonly Problem[] {
  return steps.flatMap((step, index) =>
    'change' in step ? checkChange(step.change, ['walkthrough', index, 'change'], fixtures, shipped) : [],
  )
}

function checkChange(
  command: Command<ScenarioFile, RuleFields>,
  path: Path,
  fixtures: Fixtures,
  shipped: ReadonlyMap<string, ScenarioFile>,
): readonly Problem[] {
  if (command.do === 'addRule') return checkRuleItself(command.rule, [...path, 'rule'])
  if (command.do !== 'setScenario') return []
  const whole = wholeScenario(command.scenario, shipped)
  const problems =
    'message' in whole
      ? [whole]
      : [...crossCheck(whole, fixtures), ...checkChanges(whole.walkthrough ?? [], fixtures, shipped)]
  return problems.map(problem => ({ ...problem, path: [...path, 'scenario', ...problem.path] }))
}
