import { showValue } from '../../control/files/show.ts'
import type { Snapshot } from '../../control/scenario/file.ts'
import { sandboxNames } from '../../emulator/worlds/constraints.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import { createAsk, ignoreNotFound, readBox, type Send } from '../client/ask-plane.ts'
import { createControls } from '../client/controls.ts'
import { createExpectedFindings } from '../client/expected-findings.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import type {
  AssumedReport,
  ExpectableFinding,
  PetMock,
  PetMockSandbox,
  ScenarioChoice,
  ScenarioPath,
} from './pet-mock.ts'
import { isPath, type KeyOf, type ReadScenarioFile, type ScenarioWatch, unnamed } from './scenario-keys.ts'

type ExpectedFindings = ReturnType<typeof createExpectedFindings>

interface Reach extends Pick<PetMock, 'url' | 'close'> {
  readonly keyOf: KeyOf
  /** Hears of changes, where `keyOf` does not see them. */
  readonly watch?: ScenarioWatch
  readonly send: Send
  readonly readScenarioFile: ReadScenarioFile
  /** Undefined: nobody watches assumptions. */
  readonly assumed?: (() => AssumedReport) | undefined
}

/** Makes the interface to an emulator, or to the sandbox of this name. */
export function assemble(reach: Reach): PetMock
export function assemble(reach: Reach, name: string, before: ExpectedFindings): PetMockSandbox
export function assemble(reach: Reach, name?: string, before?: ExpectedFindings): PetMock | PetMockSandbox {
  const { url, keyOf, watch, send, readScenarioFile } = reach
  const expected = before ?? createExpectedFindings(createAsk(send, undefined))
  const ask = createAsk(send, name)
  let ending: Promise<void> | undefined
  const end = () => {
    ending ??= expected.end(name, async () => {
      if (name === undefined) return reach.close()
      const ask = createAsk(send, undefined)
      // It is not found if it never existed.
      await ask('deleteSandbox', undefined, { sandbox: name }).catch(ignoreNotFound)
      watch?.deleted(name)
    })
    return ending
  }
  const restart = <T>(act: () => Promise<T>) => expected.end(name ?? defaultSandbox, act)
  const controls = createControls(ask, name)
  const mock = {
    url,
    get key() {
      return name === undefined ? keyOf() : `${keyOf(name)}+${name}`
    },
    ...controls,
    expectFinding: (id: ExpectableFinding) => expected.expect(name, id),
    reset: () => restart(controls.reset),
    snapshot: {
      ...controls.snapshot,
      load: (snapshot: Snapshot) =>
        restart(async () => {
          await controls.snapshot.load(snapshot)
          await watch?.loaded(name)
        }),
    },
    scenario: {
      get: () => ask('getScenario'),
      use: async (choice: ScenarioChoice | ScenarioPath) => {
        const named = typeof choice === 'string' ? { scenario: choice } : { scenario: choice, name: unnamed }
        const body = isPath(choice) ? await readScenarioFile(choice) : named
        return restart(async () => {
          const state = await ask('useScenario', body)
          await watch?.used(name)
          return state
        })
      },
    },
    box: () => readBox(send, name),
    sandbox: (other: string) => assemble(reach, checkName(other), expected),
    [Symbol.asyncDispose]: end,
  }
  const assumed = async () => {
    if (reach.assumed !== undefined) return reach.assumed()
    throw new PetMockError(
      'invalid_parameter',
      'assumed: create this mock with the options profile and require.',
    )
  }
  return name === undefined
    ? Object.assign(mock, { close: end, assumed })
    : Object.assign(mock, { delete: end })
}

function checkName(name: string): string {
  const { accepts, expected } = sandboxNames
  if (accepts(name)) return name
  throw new PetMockError('invalid_parameter', `sandbox: expected ${expected}, found ${showValue(name)}.`)
}
