import { writeFile } from 'node:fs/promises'
import { isLoopback } from '../../base/text/loopback.ts'
import { leadToDashboard } from '../../doors/admin/pages/wants-page.ts'
import { baseUrl, isListenError } from '../../doors/server/base-url.ts'
import { type HttpDoor, openHttpDoor } from '../../doors/server/http-door.ts'
import { latePages } from '../../doors/server/late-pages.ts'
import { serveContract } from '../../doors/server/served-contract.ts'
import { loopbackOnly } from '../../emulator/replies/cors.ts'
import type { KeptBox } from '../../judges/box/keep-box.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import { afterChanges } from './after-changes.ts'
import { assemble } from './assemble.ts'
import { checkOptions, commonNames, type OptionNames } from './check-options.ts'
import type { PetMock, PetMockOptions, ScenarioChoice, ScenarioPath } from './pet-mock.ts'
import { loadPlaneOf, planeInProcess } from './plane-in-process.ts'
import { readOpenAreas, readProfileFile, readScenarioFile } from './read-files.ts'
import { isPath } from './scenario-keys.ts'
import {
  readProfileObject,
  reportDefect,
  settleChoice,
  settleFile,
  startEmulator,
  watchRequired,
} from './start-emulator.ts'

export interface StartPetMockOptions extends Omit<PetMockOptions, 'scenario' | 'profile' | 'box'> {
  /**
   * The name of a shipped scenario, a scenario as an object, or the path of a file. A path is relative to the working
   * directory; a URL is not: `new URL('./outage.yaml', import.meta.url)`. Default: `free-plan`.
   */
  readonly scenario?: ScenarioChoice | ScenarioPath
  /** What `pet-mock learn` found out about the service: the path of its file, or what the file holds. */
  readonly profile?: object | string
  /**
   * The path of an OpenAPI 3 file, YAML or JSON. pet-mock also serves the operations that it adds, over HTTP only.
   */
  readonly openapi?: string | URL
  /**
   * Records the run for `box()`. A path: `close` also writes the box there, whether tests failed or not, since a server does not
   * know. Default: false.
   */
  readonly box?: boolean | string | URL
  /** Default: 0, any free port. */
  readonly port?: number
  /** The address to listen on. Default: 127.0.0.1. */
  readonly host?: string
  /** Lets the process end while the server runs, for a setup that nobody tears down. Default: false. */
  readonly unref?: boolean
}

const names: OptionNames<StartPetMockOptions> = {
  ...commonNames,
  openapi: true,
  port: true,
  host: true,
  unref: true,
}

/** How long `close` waits for calls in flight, in milliseconds. */
const graceMs = 1_500

/** Starts a pet-mock server on this machine. Rejects with a PetMockError for an invalid scenario, contract, address or option. */
export async function startPetMock(options: StartPetMockOptions = {}): Promise<PetMock> {
  checkOptions('startPetMock', options, names)
  const { scenario = 'free-plan', port = 0, host = '127.0.0.1', unref = false, openapi, mask } = options
  const { box: wanted = false } = options
  const allowedHosts = [host]
  const contract = leadToDashboard(serveContract({ token: undefined, isExposed: !isLoopback(host) }))
  const watch = watchRequired(options)
  const settled = await settleAny(scenario, options.profile)
  const { emulator, record, keyOf } = startEmulator(settled, mask, 'server', {
    allowedHosts,
    contract,
    ...(watch && { pass: watch.pass }),
  })
  if (openapi !== undefined) emulator.openAreas(await readOpenAreas(openapi))
  const box = wanted === false ? undefined : record()
  const { send, inOrder } = afterChanges(planeInProcess(emulator, 'server', box).send, box)
  const handle = inOrder(emulator.answer)
  const admin = loadPlaneOf(emulator, 'server', box, allowedHosts, {
    findPage: latePages(loopbackOnly),
  })
  let door: HttpDoor
  try {
    const { usesBody, metrics } = emulator
    const reports = { onLatency: metrics.onLatency, onError: reportDefect }
    door = await openHttpDoor({ handle, usesBody, host, port, unref, admin, ...reports })
  } catch (error) {
    if (!isListenError(error)) throw error
    throw new PetMockError('cannot_listen', explainAddress(error, host, port), { cause: error })
  }
  const url = baseUrl(door)
  return assemble({
    url,
    keyOf,
    send,
    readScenarioFile,
    close: async () => {
      await door.close(graceMs)
      if (box !== undefined && typeof wanted !== 'boolean') await writeBox(await box, wanted)
    },
    assumed: watch?.report,
  })
}

async function settleAny(scenario: ScenarioChoice | ScenarioPath, given: object | string | undefined) {
  const isFile = typeof given === 'string' || given instanceof URL
  const profile = isFile ? await readProfileFile(given) : given && readProfileObject(given)
  if (!isPath(scenario)) return settleChoice(scenario, 'server', profile)
  const { name, scenario: file } = await readScenarioFile(scenario)
  return settleFile(name, file, 'server', profile)
}

async function writeBox(box: KeptBox, file: string | URL): Promise<void> {
  try {
    await writeFile(file, await box.copy('*'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new PetMockError('cannot_write', `box: ${file} cannot be written (${reason}).`, { cause: error })
  }
}

function explainAddress(error: Error, host: string, port: number): string {
  const isTaken = 'code' in error && error.code === 'EADDRINUSE'
  const remedy = isTaken
    ? 'Another program uses this port. Leave out `port` to take any free one.'
    : '`host` must be an address of this machine, such as 127.0.0.1; `port` 0 takes any free port.'
  return `Cannot listen on ${host}, port ${port} (${error.message}). ${remedy}`
}
