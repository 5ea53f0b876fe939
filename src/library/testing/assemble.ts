import { showValue } from '../../control/files/show.ts'
import { sandboxNames } from '../../emulator/worlds/constraints.ts'
import { type Ask, createAsk, type Send } from '../client/ask-plane.ts'
import { clockControls } from '../client/clock-controls.ts'
import type { ConductReport, ScenarioState, Snapshot } from '../client/controls.ts'
import { keyControls } from '../client/key-controls.ts'
import { petControls } from '../client/pet-controls.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import { requestControls } from '../client/request-controls.ts'
import { ruleControls } from '../client/rule-controls.ts'
import type { PetMock } from './pet-mock.ts'
import { type ReadScenarioFile, writtenScenario } from './scenario-choice.ts'

/** Where an emulator is reached, and what a program is told of it. */
export interface Reach extends Pick<PetMock, 'url' | 'key' | 'keys' | 'close'> {
  readonly send: Send
  readonly readScenarioFile: ReadScenarioFile
}

/** What a program holds of an emulator, or of one of its sandboxes. */
export function assemble({ url, key, keys, close, send, readScenarioFile }: Reach): PetMock {
  const ask = createAsk(send, undefined)
  const sandbox = (name: string): PetMock => {
    checkName(name)
    const inside = createAsk(send, name)
    const named = (plain: string) => `${plain}+${name}`
    const drop = once(() => forget(ask, name))
    return {
      url,
      key: named(key),
      keys: Object.fromEntries(Object.entries(keys).map(([plain, plan]) => [named(plain), plan])),
      ...controls(inside, name, readScenarioFile),
      sandbox,
      close: drop,
      [Symbol.asyncDispose]: drop,
    }
  }
  const end = once(close)
  return {
    url,
    key,
    keys,
    ...controls(ask, undefined, readScenarioFile),
    sandbox,
    close: end,
    [Symbol.asyncDispose]: end,
  }
}

type Controls = Omit<PetMock, 'url' | 'key' | 'keys' | 'sandbox' | 'close' | typeof Symbol.asyncDispose>

function controls(ask: Ask, sandbox: string | undefined, readScenarioFile: ReadScenarioFile): Controls {
  return {
    clock: clockControls(ask),
    pets: petControls(ask),
    apiKeys: keyControls(ask, sandbox),
    requests: requestControls(ask),
    conduct: ({ flights } = {}) => ask<ConductReport>('GET', '/conduct', undefined, { flights }),
    rules: ruleControls(ask),
    scenario: {
      get: () => ask<ScenarioState>('GET', '/scenario'),
      set: async scenario =>
        ask<ScenarioState>('PUT', '/scenario', await writtenScenario(scenario, readScenarioFile)),
    },
    reset: async () => {
      await ask('POST', '/reset')
    },
    snapshot: () => ask<Snapshot>('GET', '/snapshot'),
    restore: async snapshot => {
      await ask('PUT', '/snapshot', snapshot)
    },
  }
}

/** One that is not there need not be forgotten. */
async function forget(ask: Ask, sandbox: string): Promise<void> {
  try {
    await ask('DELETE', '/sandboxes', undefined, { sandbox })
  } catch (error) {
    if (!(error instanceof PetMockError && error.code === 'not_found')) throw error
  }
}

function checkName(name: string): void {
  const { accepts, expected } = sandboxNames
  if (accepts(name)) return
  throw new PetMockError('invalid_parameter', `sandbox: expected ${expected}, found ${showValue(name)}.`)
}

function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= act()
    return done
  }
}
