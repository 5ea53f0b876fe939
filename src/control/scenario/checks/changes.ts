import type { Problems } from '../../fields/problem.ts'
import type { Path } from '../../files/show.ts'
import type { Fixtures } from '../../fixtures/fixtures.ts'
import { wholeScenario } from '../extend.ts'
import type { Command, ScenarioFile, Step } from '../file.ts'
import { checkRuleItself } from './rules.ts'
import { checkScenarioFile } from './walkthrough.ts'

/** Commands of a walkthrough that are always refused. Whether a key or a rule exists by then, only playing it shows. */
export function checkChanges(
  steps: readonly Step[],
  fixtures: Fixtures,
  shipped: ReadonlyMap<string, ScenarioFile>,
): Problems {
  return steps.flatMap((step, index) =>
    'change' in step ? checkChange(step.change, ['walkthrough', index, 'change'], fixtures, shipped) : [],
  )
}

function checkChange(
  command: Command,
  path: Path,
  fixtures: Fixtures,
  shipped: ReadonlyMap<string, ScenarioFile>,
): Problems {
  if (command.do === 'addRule') return checkRuleItself(command.rule, [...path, 'rule'])
  if (command.do !== 'useScenario') return []
  const whole = wholeScenario(command.scenario, shipped)
  const problems =
    'message' in whole
      ? [whole]
      : [...checkScenarioFile(whole, fixtures), ...checkChanges(whole.walkthrough ?? [], fixtures, shipped)]
  return problems.map(problem => ({ ...problem, path: [...path, 'scenario', ...problem.path] }))
}
