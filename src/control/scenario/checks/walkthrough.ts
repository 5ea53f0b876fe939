import { referencesIn } from '../../../base/text/references.ts'
import { faultTraits } from '../../../service/call/fault.ts'
import type { Problem, Problems } from '../../fields/problem.ts'
import type { Path } from '../../files/show.ts'
import type { Fixtures } from '../../fixtures/fixtures.ts'
import { wholeScenario } from '../extend.ts'
import {
  type CallStep,
  type Command,
  type Expectation,
  type ScenarioFile,
  type Step,
  timesOf,
} from '../file.ts'
import { crossCheck } from './cross-check.ts'
import { checkHeaders, ownInCalls } from './doors.ts'
import { checkRuleItself, isWithoutContent } from './rules.ts'

export function checkScenarioFile(file: ScenarioFile, fixtures: Fixtures): Problems {
  return [...crossCheck(file, fixtures), ...checkWalkthrough(file.walkthrough ?? [])]
}

function checkWalkthrough(steps: readonly Step[]): Problems {
  const saved = new Set<string>()
  return steps.flatMap((step, index) => {
    if (!('call' in step)) return []
    const path = ['walkthrough', index]
    const unknown = referencesIn(step.call).filter(name => !saved.has(name))
    const problems = unknown.map(name => ({
      path: [...path, 'call'],
      message: `no earlier step saves ${name}: add save: { ${name}: body.id } to the step whose answer has it`,
    }))
    for (const name of Object.keys(step.save ?? {})) saved.add(name)
    return [...problems, ...checkCall(path, step)]
  })
}

function checkCall(path: Path, step: CallStep): Problems {
  const { call, headers, repeat, parallel, save, expect = {} } = step
  const problems: Problem[] = []
  const refuse = (field: Path, message: string) => problems.push({ path: [...path, ...field], message })
  if (repeat !== undefined && parallel !== undefined)
    refuse(['parallel'], 'repeat and parallel exclude each other: remove one of them')
  if (expect.status !== undefined && expect.statuses !== undefined)
    refuse(['expect', 'statuses'], 'status and statuses exclude each other: remove one of them')
  if (save !== undefined && parallel !== undefined)
    refuse(['save'], 'parallel calls have no last answer to save from')
  if (save !== undefined && expect.fails !== undefined)
    refuse(['save'], 'a call that fails has no answer to save from')
  const sum = Object.values(expect.statuses ?? {}).reduce((total, count) => total + count, 0)
  if (expect.statuses !== undefined && sum !== timesOf(step))
    refuse(['expect', 'statuses'], `the counts add up to ${sum}, but the step makes ${timesOf(step)} calls`)
  for (const name of ['headers', 'body', 'length'] as const) {
    if (parallel !== undefined && expect[name] !== undefined)
      refuse(['expect', name], 'parallel calls have no last answer: expect status or statuses')
  }
  const inExpect = checkExpectation([...path, 'expect'], expect, call.split(' ', 1)[0] ?? '')
  return [...checkHeaders(headers, ownInCalls, [...path, 'headers']), ...problems, ...inExpect]
}

/** Expectations that no answer can meet. */
function checkExpectation(path: Path, expect: Expectation, method: string): Problems {
  const { status, body, length, fails } = expect
  const problems: Problem[] = []
  const refuse = (field: keyof Expectation, message: string) =>
    problems.push({ path: [...path, field], message })
  if (fails !== undefined && Object.values(expect).some(value => value !== undefined && value !== fails))
    refuse('fails', 'a call that fails has no answer: remove the other expectations')
  const bare =
    method === 'HEAD' ? 'to HEAD' : isWithoutContent(status) ? `with the status ${status}` : undefined
  if (bare !== undefined) {
    const message = `an answer ${bare} has no body`
    if (body !== undefined) refuse('body', message)
    if (length !== undefined) refuse('length', message)
    if (fails !== undefined && faultTraits[fails].breaksBody) refuse('fails', `${message} that could break`)
  } else if (body !== undefined && length !== undefined) {
    if (!Array.isArray(body))
      refuse('length', 'only a list has a length, but body is not a list: remove one of them')
    else if (body.length !== length)
      refuse('length', `the list in body has ${body.length} items: remove length`)
  }
  return problems
}

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
