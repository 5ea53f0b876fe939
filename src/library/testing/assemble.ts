import { showValue } from '../../control/files/show.ts'
import { sandboxNames } from '../../emulator/worlds/constraints.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import { type Ask, createAsk, type Send } from '../client/ask-plane.ts'
import { createControls } from '../client/controls.ts'
import { createExpectedFindings } from '../client/expected-findings.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import type { PetMock } from './pet-mock.ts'
import { isPath, type KeysOf, type ReadScenarioFile, type ScenarioWatch, unnamed } from './scenario-keys.ts'

type ExpectedFindings = ReturnType<typeof createExpectedFindings>

interface Reach extends Pick<PetMock, 'url' | 'close'> {
  readonly keysOf: KeysOf
  /** Hears of changes, where `keysOf` does not see them. */
  readonly watch?: ScenarioWatch
  readonly send: Send
  readonly readScenarioFile: ReadScenarioFile
}

/** Makes the interface to an emulator, or to the sandbox of this name. */
export function assemble(reach: Reach, name?: string, before?: ExpectedFindings): PetMock {
  const { url, keysOf, watch, send, readScenarioFile } = reach
  const expected = before ?? createExpectedFindings(createAsk(send, undefined))
  const ask = createAsk(send, name)
  const inSandbox = (plain: string) => (name === undefined ? plain : `${plain}+${name}`)
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= expected.end(name, async () => {
      if (name === undefined) return reach.close()
      await dropSandbox(createAsk(send, undefined), name)
      watch?.closed(name)
    })
    return closing
  }
  const restart = <T>(act: () => Promise<T>) => expected.end(name ?? defaultSandbox, act)
  const controls = createControls(ask, name)
  return {
    url,
    get key() {
      return inSandbox(keysOf(name).key)
    },
    get keys() {
      const { keys } = keysOf(name)
      return Object.fromEntries(Object.entries(keys).map(([plain, plan]) => [inSandbox(plain), plan]))
    },
    ...controls,
    expectFinding: id => expected.expect(name, id),
    reset: () => restart(controls.reset),
    restore: snapshot =>
      restart(async () => {
        await controls.restore(snapshot)
        await watch?.restored(name)
      }),
    scenario: {
      get: () => ask('getScenario'),
      set: async choice => {
        const named = typeof choice === 'string' ? { scenario: choice } : { scenario: choice, name: unnamed }
        const body = isPath(choice) ? await readScenarioFile(choice) : named
        return restart(async () => {
          const state = await ask('setScenario', body)
          await watch?.set(name)
          return state
        })
      },
    },
    sandbox: other => assemble(reach, checkName(other), expected),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Ignores `not_found`: the sandbox never existed. */
async function dropSandbox(ask: Ask, sandbox: string): Promise<void> {
  try {
    await ask('dropSandbox', undefined, { sandbox })
  } catch (error) {
    if (!(error instanceof PetMockError && error.code === 'not_found')) throw error
  }
}

function checkName(name: string): string {
  const { accepts, expected } = sandboxNames
  if (accepts(name)) return name
  throw new PetMockError('invalid_parameter', `sandbox: expected ${expected}, found ${showValue(name)}.`)
}
