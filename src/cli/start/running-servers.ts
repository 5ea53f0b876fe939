import { X509Certificate } from 'node:crypto'
import { isJsonObject } from '../../base/json/is-object.ts'
import { jsonIn } from '../../base/json/read.ts'
import type { JsonObject } from '../../base/json/value.ts'
import { hostOf, isLoopback } from '../../base/text/loopback.ts'
import { adminPath } from '../../doors/admin/routing/address.ts'
import { adminUrl, hostInUrl, isListenError, type Listening } from '../../doors/server/base-url.ts'
import type { WholeAnswer } from '../../judges/walkthrough/target.ts'
import { exchange, NoWholeAnswer, type ServerTrust } from '../../library/client/exchange.ts'
import { codeOf } from '../../library/files/read-file.ts'
import { clip } from '../../service/call/echo.ts'
import { refuseUsage } from '../arguments/command.ts'
import { exitCodes, type Io } from '../terminal/io.ts'
import { printable } from '../terminal/text.ts'
import { type RunFile, readRunFiles, removeRunFile } from './run-files.ts'
import { describeOwner, isAlive, isRunning } from './state/lock-owner.ts'

type ServerIdentity =
  /**
   * `start` names the run of the server. The scenario is empty if the admin plane requires a token. `health`: the response of
   * the server, if it shows one.
   */
  | {
      readonly kind: 'pet-mock'
      readonly scenario: string
      readonly start?: string
      readonly health?: JsonObject
    }
  /** `name` is the header Server, if there is one. */
  | { readonly kind: 'http'; readonly name: string | undefined }
  | { readonly kind: 'not-http' | 'silent' }
  | { readonly kind: 'unreachable'; readonly reason: string }

const longestName = 60

/** Bytes of a response to read. pet-mock's has about 100. */
const mostHealth = 65_536

/** How long a server may take to answer, in milliseconds. */
const patienceMs = 2_000

/** Identifies the server at the URL of an admin plane by one request. Sends no token. */
export async function identifyServer(admin: string, patience = patienceMs): Promise<ServerIdentity> {
  let answer: WholeAnswer
  try {
    const url = new URL(`${admin}/health`)
    const trust = await serverTrust(admin)
    const request = { method: 'GET', target: url.pathname, headers: [], body: undefined, trust }
    answer = await exchange(url, request, { bytes: mostHealth, ms: patience })
  } catch (error) {
    return identifyByError(error)
  }
  const { text, headers } = answer
  if (/^\{"status":"ok","name":"pet-mock",/.test(text)) {
    const health = jsonIn(text)
    if (isJsonObject(health)) {
      const { scenario, start } = health
      const shown = clip(`${scenario ?? ''}`, longestName)
      return { kind: 'pet-mock', scenario: shown, ...(typeof start === 'string' && { start }), health }
    }
  }
  // pet-mock with TLS, and nginx, answer plain HTTP in words.
  if (/^\{"code":"bad_request","message":"The request is plain HTTP|sent to HTTPS port/.test(text))
    return { kind: 'not-http' }
  if (/^\{"code":"(?:invalid_admin_token|admin_plane_closed|host_not_allowed)",/.test(text))
    return { kind: 'pet-mock', scenario: '' }
  return otherServer(headers)
}

function otherServer({ server: name }: WholeAnswer['headers']): ServerIdentity {
  return { kind: 'http', name: name === undefined ? undefined : clip(printable(name), longestName) }
}

function identifyByError(error: unknown): ServerIdentity {
  if (error instanceof NoWholeAnswer)
    return error.headers === undefined ? { kind: 'silent' } : otherServer(error.headers)
  if (!(error instanceof Error)) return { kind: 'unreachable', reason: String(error) }
  // It accepts connections and does not speak HTTP.
  if (/^(?:HPE_|ECONNRESET)/.test(codeOf(error))) return { kind: 'not-http' }
  return { kind: 'unreachable', reason: error.message || error.name }
}

/** Trusts the certificate in the run file of a user's own server, at its address. Undefined for others. */
export async function serverTrust(url: string): Promise<ServerTrust | undefined> {
  const { origin, protocol } = new URL(url)
  const runs = protocol === 'https:' ? await readRunFiles() : []
  const certificate = runs.find(run => run.certificate && new URL(run.admin).origin === origin)?.certificate
  if (certificate === undefined) return undefined
  const { raw: expected } = new X509Certificate(certificate)
  return {
    ca: certificate,
    allowPartialTrustChain: true,
    // The same certificate is more than the same name.
    checkServerIdentity: (_host, { raw }) =>
      expected.equals(raw) ? undefined : new Error('another server has this address'),
  }
}

/** Its scenario is empty if the plane requires a token, or does not respond. `isBusy`: its process runs, but does not respond in time. */
export type RunningServer = Awaited<ReturnType<typeof findRunningServers>>[number]

/** How long a server of this user may take to answer, in milliseconds: on a busy machine, starting takes as long. */
const ownPatienceMs = 5_000

/** Finds the running servers of this user, and removes the files of servers that are gone. */
export async function findRunningServers() {
  const asked = await Promise.all(
    (await readRunFiles()).map(async file => {
      const server = isRunning(file.pid) ? await identifyServer(file.admin, ownPatienceMs) : undefined
      const start = server?.kind === 'pet-mock' ? server.start : undefined
      // After a kill, another process may have the pid, and another server the port.
      const isOther = start !== undefined && file.start !== undefined && start !== file.start
      if (server === undefined || server.kind === 'unreachable' || isOther) removeRunFile(file.pid)
      // After a kill, another process may have its pid.
      const runs = ({ owner }: RunFile) => owner && isAlive(owner, describeOwner(process.pid)) === true
      if (server?.kind === 'silent' && runs(file)) return [{ ...file, scenario: '', isBusy: true }]
      if (server?.kind !== 'pet-mock' || isOther) return []
      return [{ ...file, scenario: server.scenario, isBusy: false }]
    }),
  )
  // Files without a run of the server cannot be compared: list each server once.
  return [...new Map(asked.flat().map(running => [running.admin, running])).values()]
}

/**
 * Identifies the server at the URL of an admin plane. If none speaks HTTP there, it may be one of this user with TLS, or at
 * another loopback address: its run file knows.
 */
export async function locateServer(admin: string) {
  const server = await identifyServer(admin)
  const url = new URL(admin)
  const { port } = url
  if (server.kind !== 'not-http' && server.kind !== 'unreachable') return { admin, server }
  if (!isLoopback(hostOf(url)) || port === '') return { admin, server }
  const own = (await findRunningServers()).find(one => new URL(one.admin).port === port)
  return own === undefined ? { admin, server } : { admin: own.admin, server: await identifyServer(own.admin) }
}

/** Where a server runs, without the path of its admin plane. */
export function originOf(admin: string): string {
  return admin.slice(0, -adminPath.length)
}

/** What a person needs to choose a server. */
export function describeServer({ scenario, pid, isBusy }: RunningServer): string {
  const what = isBusy ? 'does not respond' : printable(scenario)
  return `${what === '' ? '' : `${what}, `}process ${pid}`
}

export function listChoices(running: readonly RunningServer[]): readonly string[] {
  return running.map(server => `  --url ${originOf(server.admin)}  ${describeServer(server)}`)
}

type Address = Pick<Listening, 'host' | 'port'>

/** Prints why the server cannot listen. Throws an error of another system call: that is a defect of pet-mock. */
export async function refuseToListen(error: unknown, address: Address, io: Io): Promise<number> {
  if (!isListenError(error)) throw error
  return refuseUsage([await explain(error, address)], io, exitCodes.cannotStart)
}

async function explain(error: Error, { host, port }: Address): Promise<string> {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use by ${await describeListener({ host, port })}, or use --port 0 for any free port.`
    case 'EACCES':
      return port < 1024
        ? `Cannot open port ${port}: ports below 1024 need more privileges. Use another one, such as --port 7387.`
        : `Cannot open port ${port} on ${host}: the system reserves it. Use another one, or --port 0 for any free port.`
    case 'EADDRNOTAVAIL':
      return `${host} is not an address of this machine. Use --host 127.0.0.1 for this machine only, or --host 0.0.0.0 for all its addresses.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `Unknown host ${host}. --host takes a name or an address of this machine, such as 127.0.0.1.`
    default:
      return `Cannot listen on ${hostInUrl(host)}:${port}: ${error.message}.`
  }
}

/** What listens on a port, as far as run files and one request show, and how to stop it. */
async function describeListener({ host, port }: Address): Promise<string> {
  const admin = adminUrl({ host, port, isTls: false })
  const [running, listener] = await Promise.all([findRunningServers(), identifyServer(admin)])
  const start = listener.kind === 'pet-mock' ? listener.start : undefined
  const urls = [admin, adminUrl({ host, port, isTls: true })]
  const own = running.find(one => urls.includes(one.admin) || (start !== undefined && one.start === start))
  return own === undefined
    ? `${nameOf(listener)}. Stop it`
    : `another pet-mock, process ${own.pid}. Stop it with pet-mock stop --url ${originOf(own.admin)}`
}

function nameOf(listener: ServerIdentity): string {
  switch (listener.kind) {
    case 'pet-mock':
      return 'another pet-mock'
    case 'http':
      return listener.name === undefined ? 'an HTTP server' : `an HTTP server (${listener.name})`
    case 'unreachable':
      return 'another program'
    default:
      return 'something that does not speak HTTP'
  }
}
