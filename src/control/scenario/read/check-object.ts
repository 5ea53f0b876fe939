import { isObject } from '../../../base/json/is-object.ts'
import { inOrder } from '../../fields/in-order.ts'
import type { Problems } from '../../fields/problem.ts'
import type { Fixtures } from '../../fixtures/fixtures.ts'
import { checkScenarioFile } from '../checks/walkthrough.ts'
import { wholeScenario } from '../extend.ts'
import { shippedScenarios } from '../shipped.ts'
import { dependsOnBadFields, validFields } from './read.ts'

/** Adds what is wrong with the valid fields of a scenario object to `found`, what its shape complains about. */
export function addProblems(scenario: unknown, found: Problems, fixtures: Fixtures): Problems {
  if (!isObject(scenario)) return found
  const badPaths = found.map(({ path }) => path)
  const valid = validFields(badPaths, scenario)
  const whole = wholeScenario(valid, shippedScenarios)
  const more =
    'message' in whole
      ? [whole]
      : checkScenarioFile(whole, fixtures).filter(({ path }) => !dependsOnBadFields(scenario, valid, path))
  return inOrder(scenario, [...found, ...more])
}
