import { readdirSync, readFileSync, statSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { HttpDoorOptions } from '../../doors/server/http-door.ts'
import type { ClientRun, CommandEnd } from '../../judges/rehearsal/client-run.ts'
import { readStat } from '../start/state/lock-owner.ts'
import { type CommandRun, stopped } from './run-command.ts'

/**
 * Knows which instance of a command opened a connection: by the address that it came to and, on Linux, by the session of the
 * process that has its other end. Each instance has its own session (setsid(2)).
 */
export function createInstances() {
  const numbers = new Map<string, number>()
  return {
    started: (number: number, pid: number): void => {
      numbers.set(`${pid}`, number)
    },
    /** For the connections to the address of an instance. */
    watch:
      (number: number): HttpDoorOptions['onConnection'] =>
      (connection, socket) => {
        if (connection === undefined) return
        connection.instance = number
        const opener = numbers.get(sessionOf(socket, session => numbers.has(session)) ?? '')
        if (opener !== undefined && opener !== number) connection.stranger = opener
      },
  }
}

/** How the instances of a command ended, as one: like the first of the worst of them. */
export function joinEnds(ends: readonly CommandRun[]): CommandRun & Pick<ClientRun, 'instances'> {
  const all = ends.flatMap((end, at) => (end.ok ? [{ ...end, number: at + 1 }] : []))
  const [worst] = all.toSorted((one, other) => rankOf(other) - rankOf(one))
  const notRun = ends.find(end => !end.ok)
  if (notRun !== undefined || worst === undefined) return notRun ?? stopped
  if (all.length === 1) return worst
  return {
    ...worst,
    endedAt: Math.max(...all.map(end => end.endedAt)),
    durationMs: Math.max(...all.map(end => end.durationMs)),
    output: worst.output && `Instance ${worst.number}:\n${worst.output}`,
    instances: all.map(end => end.outcome),
  }
}

function rankOf({ outcome }: { readonly outcome: CommandEnd }): number {
  // Signals have the highest codes.
  return outcome.kind === 'hung' ? Number.POSITIVE_INFINITY : outcome.exitCode
}

/** The session, one of these, of the process on this machine that opened a connection. Undefined: the system does not say. */
function sessionOf(socket: Socket, isKnown: (session: string) => boolean): string | undefined {
  try {
    const inode = inodeOf(socket)
    for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
      const session = readStat(pid)?.session ?? ''
      if (isKnown(session) && hasSocket(pid, inode)) return session
    }
  } catch {
    // Other systems have no such files.
  }
  return undefined
}

/** Reads the inode of the client's end from `/proc/net/tcp`: after the addresses, it is the seventh column (proc(5)). */
function inodeOf({ remotePort, localPort }: Socket): number {
  const hex = (port = 0) => port.toString(16).toUpperCase().padStart(4, '0')
  const row = new RegExp(`^ *\\d+: \\w+:${hex(remotePort)} \\w+:${hex(localPort)} (?:\\S+ +){6}(\\d+)`, 'm')
  const find = (table: string) => row.exec(readFileSync(`/proc/net/${table}`, 'utf8'))?.[1]
  // An IPv6 socket may have an IPv4 connection.
  return Number(find('tcp') ?? find('tcp6'))
}

function hasSocket(pid: string, inode: number): boolean {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).some(name => {
    const file = statSync(`${folder}/${name}`, { throwIfNoEntry: false })
    return file?.ino === inode && file.isSocket()
  })
}
