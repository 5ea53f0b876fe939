import { setTimeout as wait } from 'node:timers/promises'
import { groupDigits } from '../../base/text/quantities.ts'
import { command, type Run } from '../arguments/command.ts'
import { flagGroup, type ValuesOf } from '../arguments/flag.ts'
import { checkServerUrl, type ServerValues, serverFlags, serverUrl } from '../arguments/server-flags.ts'
import {
  describeServer,
  findRunningServers,
  identifyServer,
  listChoices,
  locateServer,
  originOf,
  type RunningServer,
} from '../start/running-servers.ts'
import { birthOf, describeOwner, isAlive } from '../start/state/lock-owner.ts'
import { exitCodes, type Io } from '../terminal/io.ts'
import { cell, createPaint, jsonLine, printable, tableLines } from '../terminal/text.ts'
import { adminUrlOf, findServer } from './find-server.ts'

/* The servers of this user on this machine. */

const { url, port } = serverFlags
const options = flagGroup('Options:')
const json = options.toggle({ about: 'print one line of JSON' })
const all = options.toggle({ about: 'stop every running server of this user' })
const stopFlags = { url, port, all, json }

export const ps = command({
  name: 'ps',
  about: 'Lists the running servers of this user.',
  flags: { json },
  notes: ['It does not list servers of programs, of MSW, of other users and of containers.'],
  check: () => [],
  load: async () => ({ run: listServers }),
})

export const stop = command({
  name: 'stop',
  about: 'Stops a running server of this user, or all of them.',
  flags: stopFlags,
  examples: [
    ['$0 stop', 'the only server'],
    ['$0 stop --port 7387', 'one of several'],
    ['$0 stop --all', ''],
  ],
  notes: [
    'It sends SIGTERM, like Ctrl+C: the server answers the calls that it has, and saves its state. It stops a process only if the server at its address is the one that the process started.',
    'Exit codes: 0 stopped, 1 a process cannot be stopped, 2 wrong usage or several servers, 3 no server found. With --all, no server is 0.',
  ],
  check: ({ values, typed }) => [
    ...checkServerUrl({ values, typed }),
    ...(values.all && (typed.has('url') || typed.has('port')) ? ['Give --all or one server, not both.'] : []),
  ],
  load: async () => ({ run: stopServers }),
})

const listServers: Run<{ readonly json: boolean }> = async ({ values, io }) => {
  const running = await findRunningServers()
  const servers = running.map(({ pid, admin, start, scenario }) => {
    return { pid, url: `${originOf(admin)}/v1`, admin, start, scenario }
  })
  const paint = createPaint(io.stdout)
  const rows = running.map(({ pid, admin, scenario, isBusy }) => [
    cell(`${originOf(admin)}/v1`, { style: 'bold' }),
    cell(
      scenario || (isBusy ? 'does not respond' : 'admin token required'),
      scenario ? {} : { style: 'dim' },
    ),
    cell(`process ${pid}`, { style: 'dim' }),
  ])
  const none = paint('dim', 'No pet-mock runs on this machine.')
  const lines = servers.length === 0 ? [none] : tableLines(rows, paint)
  io.stdout.write(`${values.json ? jsonLine({ servers }) : lines.join('\n')}\n`)
  return exitCodes.fine
}

const stopServers: Run<ValuesOf<typeof stopFlags>> = async ({ values, typed, io }) => {
  const chosen = await choose(values.all ? undefined : serverUrl({ values, typed }), values.all)
  if (chosen.servers === undefined) {
    io.stderr.write(`${chosen.message}\n`)
    return chosen.exitCode
  }
  const ends = await Promise.all(
    chosen.servers.map(async server => ({ server, problem: await stopServer(server, io) })),
  )
  const stopped = ends.flatMap(({ server, problem }) => (problem === undefined ? [server] : []))
  const paint = createPaint(io.stdout)
  const shown = stopped.map(({ pid, admin, scenario }) => ({ pid, url: `${originOf(admin)}/v1`, scenario }))
  if (values.json) io.stdout.write(`${jsonLine({ stopped: shown })}\n`)
  else
    for (const server of stopped)
      io.stdout.write(
        `${paint('green', 'stopped')} ${originOf(server.admin)}/v1  ${describeServer(server)}\n`,
      )
  for (const { server, problem } of ends)
    if (problem !== undefined) io.stderr.write(`${originOf(server.admin)} was not stopped: ${problem}\n`)
  return stopped.length === ends.length ? exitCodes.fine : exitCodes.refused
}

async function choose(url: URL | undefined, isForAll: boolean) {
  const running = await findRunningServers()
  if (isForAll) return { servers: running }
  if (url !== undefined) {
    const { admin, server } = await locateServer(adminUrlOf(url))
    const start = server.kind === 'pet-mock' ? server.start : undefined
    const own = running.find(one => one.admin === admin || (start !== undefined && one.start === start))
    if (own !== undefined) return { servers: [own] }
    const message =
      server.kind === 'pet-mock'
        ? `pet-mock stop cannot stop the server at ${originOf(admin)}: no process of this user on this machine announced it.`
        : `No pet-mock of this user runs at ${originOf(admin)}.`
    return { exitCode: exitCodes.unreachable, message }
  }
  if (running.length === 0)
    return { exitCode: exitCodes.unreachable, message: 'No pet-mock runs on this machine.' }
  if (running.length === 1) return { servers: running }
  const head = `${groupDigits(running.length)} servers run on this machine. Choose one, or stop all by --all:`
  return { exitCode: exitCodes.wrongUsage, message: [head, ...listChoices(running)].join('\n') }
}

/** How long a server may take to stop: it answers its calls and saves its state. In milliseconds. */
const patienceMs = 15_000
const lookEveryMs = 20

/** Stops a server. Resolves with why it was not stopped, if so. */
async function stopServer(server: RunningServer, { pid: ownPid }: Io): Promise<string | undefined> {
  const { pid, admin, start, owner } = server
  const there = await identifyServer(admin)
  if (there.kind !== 'pet-mock') return 'it does not answer any more'
  if (start === undefined || there.start !== start)
    return `it does not name the run that process ${pid} started`
  // The files of a container may be visible here, but its process ids are others.
  if (owner?.space !== undefined && !isAlive(owner, describeOwner(ownPid)))
    return `process ${pid} is another one`
  const born = birthOf(pid)
  try {
    process.kill(pid, 'SIGTERM')
  } catch (error) {
    return `process ${pid}: ${error instanceof Error ? error.message : error}`
  }
  const end = performance.now() + patienceMs
  while (performance.now() < end) {
    if (birthOf(pid) !== born) return undefined
    await wait(lookEveryMs)
  }
  return `process ${pid} got SIGTERM and has not ended within ${patienceMs / 1_000} s`
}

export const health = command({
  name: 'health',
  about: 'Checks that a server is up.',
  flags: { url, port, json: serverFlags.json },
  examples: [['$0 health', 'the health check of a container']],
  notes: [
    'Exit codes: 0 it is up, 1 it is not, 2 wrong usage. It sends no token. A server that requires one shows only its name and the id of its run.',
    'Without --url and --port, it checks the only server on this machine.',
  ],
  check: checkServerUrl,
  load: async () => ({ run: checkHealth }),
})

/** Docker knows 0 and 1 only, so a server that cannot be reached is 1 here, too. */
const checkHealth: Run<Pick<ServerValues, 'url' | 'port' | 'json'>> = async ({ values, typed, io }) => {
  const found = await findServer(serverUrl({ values, typed }))
  if (!found.ok) {
    io.stderr.write(`${found.message}\n`)
    return found.exitCode === exitCodes.wrongUsage ? exitCodes.wrongUsage : exitCodes.refused
  }
  const server = await identifyServer(found.admin)
  if (server.kind !== 'pet-mock' || server.health === undefined) {
    io.stderr.write(
      `The server at ${found.admin} does not report its health. Is it another version of pet-mock? Restart it with this version.\n`,
    )
    return exitCodes.refused
  }
  const { scenario, health } = server
  const line = `${createPaint(io.stdout)('green', 'up')} ${found.admin}${scenario === '' ? '' : `  ${printable(scenario)}`}`
  io.stdout.write(`${values.json ? jsonLine(health) : line}\n`)
  return exitCodes.fine
}
