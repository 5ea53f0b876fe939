/// <reference lib="esnext.disposable" preserve="true" />
import type { ShippedScenario } from '../generated/scenario-name.ts'
import type { ScenarioFile } from '../scenario/file.ts'

export interface PetMockOptions {
  /**
   * A shipped scenario by its name, or one written as an object, which may extend a shipped one. Default: `free-plan`.
   * One that cannot be is an Error that tells all that is wrong with it.
   */
  readonly scenario?: ShippedScenario | ScenarioFile
}

/** A running emulator, as a program holds it. `await using mock = …` closes it at the end of the block. */
export interface PetMock extends AsyncDisposable {
  /** The base URL, with its `/v1`. */
  readonly url: string
  /** The API key that the scenario is about. */
  readonly key: string
  /** Every API key that the scenario knows, with the name of its plan. */
  readonly keys: Readonly<Record<string, string>>
  /** Resolves when everything is closed; closing again does nothing. */
  readonly close: () => Promise<void>
}
