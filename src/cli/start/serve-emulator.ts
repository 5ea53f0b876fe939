import { isIP } from 'node:net'
import { isLoopback } from '../../base/text/loopback.ts'
import { createEventRunner } from '../../control/change/run-event.ts'
import type { Fixtures } from '../../control/fixtures/fixtures.ts'
import { leadToDashboard } from '../../doors/admin/pages/wants-page.ts'
import type { SaveState } from '../../doors/admin/routing/route-context.ts'
import { type HttpDoor, type HttpDoorOptions, openHttpDoor } from '../../doors/server/http-door.ts'
import { latePages } from '../../doors/server/late-pages.ts'
import { type LoadAdminPlane, lateAdminPlane } from '../../doors/server/load-admin.ts'
import type { KeyPair } from '../../doors/server/node-server.ts'
import { serveContract } from '../../doors/server/served-contract.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../emulator/emulator.ts'
import type { ServedContract } from '../../emulator/gates/open-areas.ts'
import type { BrowsedBox } from '../../judges/box/runs/browse-box.ts'
import { explainNoCodeGeneration } from '../../judges/contract/code-generation.ts'
import type { LateHandle } from '../../service/call/call.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import type { ServeValues } from '../arguments/serve-flags.ts'
import type { BoxFile } from '../box/box-file.ts'
import type { Reporter } from '../log/reporter.ts'
import type { Loaded } from './load/load-from-flags.ts'

export function createServedEmulator(
  { scenario, openapi }: Loaded,
  values: ServeValues,
  reporter: Reporter,
  secrets: Secrets,
  pass?: EmulatorOptions['pass'],
): Emulator {
  const emulator = createEmulator({
    scenario,
    startedAt: Date.now(),
    steady: () => performance.now(),
    ...servedAs(values),
    journal: values.journal,
    secrets,
    ...(pass && { pass }),
    runEvent: createEventRunner('server'),
    contract: contractOf(values),
    onNotice: reporter.notice,
    onError: reporter.failure,
  })
  if (reporter.call !== undefined) emulator.observe(reporter.call)
  if (openapi !== undefined) emulator.openAreas(openapi.areas)
  return emulator
}

/** What a box keeps of the flags: the rest decides no response. */
export function servedAs(values: ServeValues) {
  return {
    allowedHosts: allowedHosts(values),
    cors: values.cors,
    ...(values['base-url'] !== undefined && { baseUrl: values['base-url'] }),
    trustProxy: values['trust-proxy'],
    marks: !values['no-marks'],
  }
}

export function contractOf(values: ServeValues): ServedContract {
  const { host, 'admin-token': token, 'trust-proxy': trustProxy } = values
  return leadToDashboard(serveContract({ token, isExposed: !isLoopback(host), trustProxy }))
}

interface ServedDoorOptions {
  readonly saveState?: SaveState | undefined
  /** Names this run. Without it, the admin plane chooses a name. */
  readonly start?: string
  readonly tls?: KeyPair | undefined
  readonly box?: BoxFile | undefined
  readonly opened?: BrowsedBox | undefined
  /** Called with the present instant before each call and each request to the admin plane. */
  readonly onArrival?: (now: number) => void
  readonly onConnection?: HttpDoorOptions['onConnection']
}

export async function openServedDoor(
  emulator: Emulator,
  fixtures: Fixtures,
  values: ServeValues,
  reporter: Reporter,
  { saveState, start, tls, box, opened, onArrival, onConnection }: ServedDoorOptions,
): Promise<HttpDoor> {
  const { host, port, 'admin-token': token, 'snapshot-limit': snapshotLimit } = values
  const onError = reporter.failure
  const names = allowedHosts(values)
  const plane = lateAdminPlane(
    {
      emulator,
      fixtures,
      door: 'server',
      saveState,
      copyBox: box?.copy,
      opened,
      findPage: latePages(values.cors),
      allowedHosts: names,
      trustProxy: values['trust-proxy'],
      token,
      snapshotLimit,
      ...(reporter.change && { onChange: reporter.change }),
      onError,
    },
    start,
  )
  const doors: Doors =
    onArrival === undefined
      ? { handle: emulator.answer, admin: plane }
      : {
          handle: call => {
            onArrival(call.receivedAt)
            return emulator.answer(call)
          },
          admin: address => {
            onArrival(Date.now())
            return plane(address)
          },
        }
  return openHttpDoor({
    ...(saveState && values['state-sync'] === 'always' ? await savingFirst(doors, saveState) : doors),
    usesBody: emulator.usesBody,
    host,
    port,
    tls,
    onLatency: emulator.metrics.onLatency,
    onConnection,
    onError,
    onRefusal: refused => {
      box?.note(`${refused.status} for ${refused.client}: ${refused.message}`, refused.at)
      reporter.refusal(refused)
    },
    // A query may hold a key that no call has shown yet.
    onLost: ({ complete, method, url }) => {
      const when = complete ? 'before the response to' : 'in the middle of'
      box?.note(`The connection died ${when} ${method} ${url?.replace(/\?.*/s, '')}.`, Date.now())
    },
  })
}

interface Doors {
  readonly handle: LateHandle
  readonly admin: LoadAdminPlane
}

async function savingFirst({ handle, admin }: Doors, saveState: SaveState): Promise<Doors> {
  const { planeSavingBeforeReply, saveBeforeReply } = await import('./state/keep-state.ts')
  return { handle: saveBeforeReply(handle, saveState), admin: planeSavingBeforeReply(admin, saveState) }
}

type HostValues = Pick<ServeValues, 'allowed-hosts' | 'host'> & Partial<Pick<ServeValues, 'base-url'>>

/** The names to listen on and of --base-url are also names that requests may use (A22). */
export function allowedHosts({ 'allowed-hosts': names, 'base-url': base, host }: HostValues) {
  if (names === '*') return names
  const own = [host, ...(base === undefined ? [] : [new URL(base).hostname])]
  return [...names, ...own.filter(name => isIP(name) === 0)]
}

/** Rejects `--contract` before the start where no call could be judged. `source`: the flag or its variable. */
export function checkContractMode(judges: boolean, source: string): readonly string[] {
  const obstacle = judges ? explainNoCodeGeneration() : undefined
  return obstacle === undefined ? [] : [`${source}: ${obstacle}, or use --no-contract.`]
}
