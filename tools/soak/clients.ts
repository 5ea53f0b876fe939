import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Assignment } from './client.ts'
import { merge, type Tally } from './tally.ts'

export type ToClient =
  | { readonly do: 'open'; readonly assignment: Assignment }
  | { readonly do: 'run' | 'stop' | 'end' }

export interface FromClient {
  readonly isOpen?: boolean
  readonly answered?: number
  readonly tally?: Tally
  readonly failed?: string
}

const program = fileURLToPath(new URL('programs/client.ts', import.meta.url))
/** Two processes: more would only take time from the server on a machine with two cores. */
const processes = 2
/**
 * Calls under way at once, of all processes. The contract check has room for 1,000 calls that wait for their verdict, so no
 * call goes without one.
 */
const atOnce = 256

export interface Clients {
  readonly answered: () => number
  readonly run: () => Promise<Tally>
  readonly stop: () => void
  readonly end: () => void
}

/** Starts processes of clients, which open all connections. */
export async function openClients(port: number, connections: number, calls: number): Promise<Clients> {
  const share = (whole: number, index: number) =>
    Math.floor((whole * (index + 1)) / processes) - Math.floor((whole * index) / processes)
  const children = Array.from({ length: processes }, () => startOne())
  const first = (index: number) => Math.floor((calls * index) / processes)
  await Promise.all(
    children.map(({ ask }, index) => {
      const assignment: Assignment = {
        ...{ port, connections: share(connections, index), atOnce: Math.ceil(atOnce / processes) },
        ...{ first: first(index), calls: share(calls, index) },
      }
      return ask({ do: 'open', assignment }, message => message.isOpen)
    }),
  )
  return {
    answered: () => children.reduce((sum, { answered }) => sum + answered(), 0),
    run: async () =>
      merge(await Promise.all(children.map(({ ask }) => ask({ do: 'run' }, message => message.tally)))),
    stop: () => {
      for (const { child } of children) child.send({ do: 'stop' })
    },
    end: () => {
      for (const { child } of children) child.kill('SIGKILL')
    },
  }
}

function startOne() {
  const child: ChildProcess = fork(program, { execArgv: ['--import', import.meta.resolve('tsx')] })
  let answered = 0
  child.on('message', (message: FromClient) => {
    if (message.answered !== undefined) answered = message.answered
  })
  const ask = <T>(message: ToClient, read: (message: FromClient) => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      child.on('message', (answer: FromClient) => {
        if (answer.failed !== undefined) reject(new Error(answer.failed))
        const found = read(answer)
        if (found !== undefined) resolve(found)
      })
      child.once('exit', code => reject(new Error(`a client ended with ${code}`)))
      child.send(message)
    })
  return { child, ask, answered: () => answered }
}
