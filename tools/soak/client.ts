import { type Answer, Connection } from './connection.ts'
import { emptyTally, rowOf, type Tally } from './tally.ts'
import { kinds, planCall } from './traffic.ts'

export interface Assignment {
  readonly port: number
  readonly connections: number
  /** Calls under way at once. The others of the connections wait for their turn. */
  readonly atOnce: number
  /** The numbers of its calls: from `first`, `calls` of them. */
  readonly first: number
  readonly calls: number
}

/** Of ten created pets, it keeps one: the store stays small, and the memory of the server shows nothing but leaks. */
const keepEvery = 10
const mostSurprises = 5

/** Opens connections, sends calls over each in turn, and notes every answer. */
export class Client {
  readonly tally: Tally = emptyTally()
  readonly #assignment: Assignment
  readonly #connections: readonly Connection[]
  #made = 0
  #next = 0
  #isStopped = false

  constructor(assignment: Assignment) {
    this.#assignment = assignment
    this.#connections = Array.from({ length: assignment.connections }, () => new Connection(assignment.port))
  }

  get answered(): number {
    return this.#made
  }

  async open(): Promise<void> {
    // More at once would not fit into the system's queue of new connections.
    const waiting = this.#connections.values()
    const openSome = async () => {
      for (const connection of waiting) await connection.open()
    }
    await Promise.all(Array.from({ length: 50 }, openSome))
  }

  async run(): Promise<void> {
    const { atOnce, calls } = this.#assignment
    const idle = [...this.#connections]
    const lane = async () => {
      while (this.#next < calls && !this.#isStopped) {
        const connection = idle.shift()
        if (connection === undefined) throw new Error('no connection is free')
        const number = this.#assignment.first + this.#next
        this.#next += 1
        await this.#make(number, connection)
        idle.push(connection)
      }
    }
    await Promise.all(Array.from({ length: Math.min(atOnce, idle.length) }, lane))
    this.tally.reopened = this.#connections.reduce((sum, { reopened }) => sum + reopened, 0)
  }

  stop(): void {
    this.#isStopped = true
  }

  close(): void {
    for (const connection of this.#connections) connection.close()
  }

  async #make(number: number, connection: Connection): Promise<void> {
    const { kind, sandbox, text } = planCall(number)
    try {
      const answer = await connection.call(text)
      this.#made += 1
      const row = rowOf({ kind, sandbox, status: answer.status, code: codeOf(answer) })
      this.tally.rows[row] = (this.tally.rows[row] ?? 0) + 1
      if (!kinds[kind]?.statuses.includes(answer.status))
        this.#note(`${text.split('\r\n', 1)}: ${answer.status} ${answer.body.slice(0, 200)}`)
      if (answer.status === 201) await this.#follow(answer, sandbox, connection)
    } catch (error) {
      this.#note(`${text.split('\r\n', 1)}: ${error instanceof Error ? error.message : error}`)
    }
  }

  /** Notes a new pet, and deletes most of them through the admin plane. */
  async #follow({ body }: Answer, sandbox: string, connection: Connection): Promise<void> {
    const id = /"id":(\d+)/.exec(body)?.[1] ?? 'none'
    const ids = this.tally.created[sandbox] ?? []
    this.tally.created[sandbox] = ids
    ids.push(id)
    if (ids.length % keepEvery === 0) return
    const target = `/__admin/pets/${id}?sandbox=${sandbox}`
    const { status } = await connection.call(`DELETE ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    if (status !== 200 && status !== 204) this.#note(`DELETE ${target}: ${status}`)
    else this.tally.deleted[sandbox] = (this.tally.deleted[sandbox] ?? 0) + 1
  }

  #note(surprise: string): void {
    if (this.tally.surprises.length < mostSurprises) this.tally.surprises.push(surprise)
  }
}

function codeOf({ status, body }: Answer): string {
  return status === 429 ? (/"code":"(\w+)"/.exec(body)?.[1] ?? 'none') : ''
}
