/// <reference lib="esnext.disposable" preserve="true" />

import type { ScenarioFile } from '../../control/scenario/file.ts'
import type { ShippedScenario } from '../../generated/scenario-name.ts'
import type {
  ClockControls,
  ConductReport,
  KeyControls,
  PetControls,
  RequestControls,
  RuleControls,
  ScenarioControls,
  Snapshot,
} from '../client/controls.ts'

/** A shipped scenario by its name, or one written as an object, which may extend a shipped one. */
export type ScenarioChoice = ShippedScenario | ScenarioFile
/** The path of a scenario file. */
export type ScenarioPath = `${string}.yaml` | `${string}.yml` | `${string}.json` | URL

export interface PetMockOptions {
  /** Default: `free-plan`. One that cannot be is a PetMockError that tells all that is wrong with it. */
  readonly scenario?: ScenarioChoice
}

/** A running emulator, as a program holds it. `await using mock = …` closes it at the end of the block. */
export interface PetMock extends AsyncDisposable {
  /** The base URL, with its `/v1`. */
  readonly url: string
  /** The API key that the scenario is about; of a sandbox, with its name: `demo-free+worker-3`. */
  readonly key: string
  /** Every API key that the scenario has at its start, with the name of its plan. */
  readonly keys: Readonly<Record<string, string>>
  readonly clock: ClockControls
  readonly pets: PetControls
  /** How the keys stand by now, and what can be done to them. */
  readonly apiKeys: KeyControls
  readonly requests: RequestControls
  /**
   * What is to be said of how the clients behaved: findings, the worst first, each with the calls that show it and what
   * to do. A client that waits as it is told, and uses nothing that goes away, has none of severity error or warning.
   * `flights`: with what pictures of the calls are drawn from.
   */
  readonly conduct: (options?: { readonly flights?: boolean }) => Promise<ConductReport>
  readonly rules: RuleControls
  readonly scenario: ScenarioControls<ScenarioChoice | ScenarioPath>
  /** All as the scenario starts it: pets, counts, bans, clock, rules, and an empty journal. */
  readonly reset: () => Promise<void>
  readonly snapshot: () => Promise<Snapshot>
  /** As a snapshot has it, whole or not at all. */
  readonly restore: (snapshot: Snapshot) => Promise<void>
  /**
   * A world of its own on the same server, with pets, counts, bans, clock, rules and journal that nobody else sees. It
   * is reached by its key, made when it is first used, and forgotten when it is closed. A name is 1 to 64 letters,
   * digits, dots, dashes or underscores.
   */
  readonly sandbox: (name: string) => PetMock
  /** Resolves when everything is closed; closing again does nothing. */
  readonly close: () => Promise<void>
}
