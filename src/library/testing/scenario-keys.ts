import type { ScenarioFile } from '../../control/scenario/file.ts'
import { defaultSandbox, type Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { Ask } from '../client/ask-plane.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import type { PetMock, ScenarioChoice, ScenarioPath } from './pet-mock.ts'

/** The keys of a running scenario, without a sandbox. */
type ScenarioKeys = Pick<PetMock, 'key' | 'keys'>

/** Returns the keys of a sandbox, by default of the default one. */
export type KeysOf = (sandbox?: string) => ScenarioKeys

/** Changes of a program that give a sandbox another scenario. Without a name: the default one. */
export interface ScenarioWatch {
  /** After `scenario.set`. New sandboxes start from a scenario of the default sandbox. */
  readonly set: (sandbox?: string) => Promise<void>
  readonly restored: (sandbox?: string) => Promise<void>
  readonly closed: (sandbox: string) => void
}

/** The keys of an emulator in this process: a sandbox that does not exist yet starts from the usual scenario. */
export function keysInProcess(sandboxes: Sandboxes): KeysOf {
  return (name = defaultSandbox) => {
    const { scenario } = sandboxes.get(name) ?? sandboxes
    const keys = Object.fromEntries([...scenario.keys].map(([key, { plan }]) => [key, plan]))
    return { key: scenario.key, keys }
  }
}

/**
 * The keys of a server elsewhere, read now and after each change of this program. `chosen`: the key that a person chose;
 * `handed`: the key until a scenario is set.
 */
export async function keysElsewhere(ask: Ask, chosen: string | undefined, handed: string | undefined) {
  const read = async (sandbox?: string): Promise<ScenarioKeys> => {
    const [{ key }, { keys }] = await Promise.all([
      ask('getScenario', { sandbox }),
      ask('listKeys', { sandbox }),
    ])
    return { key: chosen ?? key, keys: Object.fromEntries(keys.map(({ key, plan }) => [key, plan])) }
  }
  const start = await read()
  let usual: ScenarioKeys = { ...start, key: chosen ?? handed ?? start.key }
  const own = new Map<string, ScenarioKeys>()
  const restored = async (name = defaultSandbox) => void own.set(name, await read(name))
  const watch: ScenarioWatch = {
    restored,
    set: async name => {
      if (name !== undefined) return restored(name)
      const { sandboxes } = await ask('listSandboxes')
      // Sandboxes that exist keep their scenario.
      for (const { name } of sandboxes) own.set(name, own.get(name) ?? usual)
      own.delete(defaultSandbox)
      usual = await read()
    },
    closed: name => void own.delete(name),
  }
  const keysOf: KeysOf = (name = defaultSandbox) => own.get(name) ?? usual
  return { keysOf, watch }
}

/** The name of a scenario that is an object. */
export const unnamed = 'custom'

/** Reads a scenario file and everything that it extends. Rejects with a PetMockError that lists every mistake. */
export type ReadScenarioFile = (
  path: ScenarioPath,
) => Promise<{ readonly scenario: ScenarioFile; readonly name: string }>

export function isPath(scenario: ScenarioChoice | ScenarioPath): scenario is ScenarioPath {
  return scenario instanceof URL || (typeof scenario === 'string' && /\.(?:ya?ml|json)$/i.test(scenario))
}

/** For browsers, which have no files. */
export const readNoFile: ReadScenarioFile = async path => {
  throw new PetMockError(
    'invalid_scenario',
    `scenario: ${path} is a file, which MSW handlers cannot read. Write the scenario as an object.`,
  )
}
