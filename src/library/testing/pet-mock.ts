/// <reference lib="esnext.disposable" preserve="true" />

import type { ScenarioFile } from '../../control/scenario/file.ts'
import type { PlaneOperations, PlaneRunningScenario } from '../../generated/plane-operations.ts'
import type { ShippedScenario } from '../../generated/scenario-name.ts'
import type { Reply } from '../../service/call/call.ts'
import type { Controls } from '../client/controls.ts'

/** The name of a shipped scenario, or a scenario as an object, which may extend a shipped one. */
export type ScenarioChoice = ShippedScenario | ScenarioFile
/** The path of a scenario file. */
export type ScenarioPath = `${string}.yaml` | `${string}.yml` | `${string}.json` | URL

export interface PetMockOptions {
  /** Default: `free-plan`. An invalid scenario throws a PetMockError that lists every mistake. */
  readonly scenario?: ScenarioChoice
  /** What `pet-mock learn` found out about the service, as its file has it. It lies below the scenario. */
  readonly profile?: object
  /** With `profile`: lets `assumed()` judge responses. `inferred` accepts what was only inferred. */
  readonly require?: 'observed' | 'inferred'
  /** Settings that `assumed()` lets pet-mock assume: `['limits.window']`. */
  readonly allowAssumed?: readonly string[]
  /** Records the run for `box()`. Default: false. */
  readonly box?: boolean
  /** Further names of headers, parameters and fields whose values `requests` and `conduct` mask: `['X-Tenant']`. */
  readonly mask?: readonly string[]
}

export type ScenarioState = PlaneRunningScenario

export interface ScenarioControls<Written> {
  readonly get: () => Promise<ScenarioState>
  /** Restarts with another scenario. */
  readonly use: (scenario: Written) => Promise<ScenarioState>
}

/** The id of a finding that a test can expect: `banned`. */
export type ExpectableFinding = PlaneOperations['expectFinding']['body']['id']

/** A sandbox of a running emulator. `await using sandbox = …` deletes it at the end of the block. */
export interface PetMockSandbox extends Controls, AsyncDisposable {
  /** The base URL, with its `/v1`. */
  readonly url: string
  /** The API key of the running scenario. In a sandbox, it has the sandbox's name: `demo-free+worker-3`. */
  readonly key: string
  readonly scenario: ScenarioControls<ScenarioChoice | ScenarioPath>
  /**
   * A sandbox on the same server, with its own pets, counts, bans, clock, rules and journal. The first call with its
   * key creates it. Its name has 1 to 64 letters, digits, dots, dashes or underscores.
   */
  readonly sandbox: (name: string) => PetMockSandbox
  /**
   * Expects a finding of `conduct()` in this sandbox, from now on until it is reset, gets another scenario or snapshot, or is
   * deleted. The finding then fails nothing. If it does not come, the method that ends the expectation rejects with a
   * PetMockError, after it has done its work.
   */
  readonly expectFinding: (id: ExpectableFinding) => Promise<void>
  /**
   * The bytes of a box file: everything that another machine needs to repeat the calls of this sandbox up to now. Rejects if the
   * server records no box: it needs the option `box`.
   */
  readonly box: () => Promise<Uint8Array<ArrayBuffer>>
  /** Deletes the sandbox. Deleting it again does nothing. Rejects if an expected finding did not come. */
  readonly delete: () => Promise<void>
}

/** A finding for each assumed setting on which responses rested. */
export interface AssumedReport {
  readonly findings: readonly {
    readonly id: string
    readonly title: string
    readonly remedy: string
    readonly count: number
    /** The first calls, such as `GET /v1/pets → 200`. */
    readonly evidence: readonly {
      readonly what: string
      readonly request?: number
      readonly sandbox?: string
    }[]
  }[]
}

/** A running emulator. `await using mock = …` closes it at the end of the block. */
export interface PetMock extends Omit<PetMockSandbox, 'delete'> {
  /**
   * Which assumed settings responses rested on so far, in all sandboxes. Rejects without the option `require`, and for a server
   * that another program started.
   */
  readonly assumed: () => Promise<AssumedReport>
  /** The bytes of a box file with all sandboxes. */
  readonly box: () => Promise<Uint8Array<ArrayBuffer>>
  /** Resolves when everything is closed. Closing again does nothing. Rejects if an expected finding did not come. */
  readonly close: () => Promise<void>
}

export interface InProcess {
  /** A `fetch` for clients that accept one: it behaves as if pet-mock were served at `url`. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Answers a call synchronously: each call is one indivisible step. Await changes before it. */
  readonly handle: (call: PlainCall) => Reply
  readonly sandbox: (name: string) => InProcessSandbox
}
export interface InProcessSandbox extends InProcess, Omit<PetMockSandbox, 'sandbox'> {}
/** pet-mock in this process, without a socket. */
export interface InProcessPetMock extends InProcess, Omit<PetMock, 'sandbox'> {}

/** A call as plain values. */
export interface PlainCall {
  readonly method: string
  /** The path and the query: `/v1/pets?limit=5`. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}
