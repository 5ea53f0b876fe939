import type { ScenarioFile } from '../../control/scenario/file.ts'
import { defaultSandbox, type Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { Ask } from '../client/ask-plane.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import type { ScenarioChoice, ScenarioPath } from './pet-mock.ts'

/** Returns the key of the scenario in a sandbox, by default in the default one, without the sandbox's name. */
export type KeyOf = (sandbox?: string) => string

/** Changes of a program that give a sandbox another scenario. Without a name: the default one. */
export interface ScenarioWatch {
  /** After `scenario.use`. New sandboxes start from a scenario of the default sandbox. */
  readonly used: (sandbox?: string) => Promise<void>
  readonly loaded: (sandbox?: string) => Promise<void>
  readonly deleted: (sandbox: string) => void
}

/** The key of an emulator in this process: a sandbox that does not exist yet starts from the usual scenario. */
export function keyInProcess(sandboxes: Sandboxes): KeyOf {
  return (name = defaultSandbox) => (sandboxes.get(name) ?? sandboxes).scenario.key
}

/**
 * The key of a server elsewhere, read now and after each change of this program. `chosen`: the key that a person chose;
 * `handed`: the key until another scenario is used.
 */
export async function keyElsewhere(ask: Ask, chosen: string | undefined, handed: string | undefined) {
  const read = async (sandbox?: string) => chosen ?? (await ask('getScenario', { sandbox })).key
  const start = await read()
  let usual = chosen ?? handed ?? start
  const own = new Map<string, string>()
  const loaded = async (name = defaultSandbox) => void own.set(name, await read(name))
  const watch: ScenarioWatch = {
    loaded,
    used: async name => {
      if (name !== undefined) return loaded(name)
      const { sandboxes } = await ask('listSandboxes')
      // Sandboxes that exist keep their scenario.
      for (const { name } of sandboxes) own.set(name, own.get(name) ?? usual)
      own.delete(defaultSandbox)
      usual = await read()
    },
    deleted: name => void own.delete(name),
  }
  const keyOf: KeyOf = (name = defaultSandbox) => own.get(name) ?? usual
  return { keyOf, watch }
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

/** For pages, which have no files. */
export const readNoFile: ReadScenarioFile = async path => {
  throw new PetMockError(
    'invalid_scenario',
    `scenario: ${path} is a file, which a page cannot read. Write the scenario as an object.`,
  )
}
