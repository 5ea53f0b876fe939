import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Example } from './example.ts'
import { freePort } from './free-port.ts'

const json = { 'Content-Type': 'application/json' }

/** Two replicas behind nginx. */
export interface Fleet {
  /** Of nginx. */
  readonly origin: string
  readonly ports: readonly number[]
  readonly call: (target: string, key: string, init?: RequestInit) => Promise<Response>
  readonly sandboxesOf: (port: number) => Promise<readonly string[]>
  /** The replica that has the sandbox. */
  readonly homeOf: (sandbox: string) => Promise<number>
}

/** Starts what examples/scale-out has, until its test ends. */
export async function startFleet(example: Example): Promise<Fleet> {
  const port = await freePort()
  const ports = [await freePort(), await freePort()]
  mkdirSync(join(example.path, 'state'))
  const child = spawn('bash', ['start.sh', ...ports.map(String)], {
    cwd: example.path,
    env: { ...process.env, PORT: `${port}`, STATE: 'state' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(() => stop(child))
  const origin = `http://127.0.0.1:${port}`
  for (const each of [port, ...ports]) await answers(`http://127.0.0.1:${each}/__admin/health`)
  const sandboxesOf = async (replica: number) => {
    const response = await fetch(`http://127.0.0.1:${replica}/__admin/sandboxes`)
    const { sandboxes } = (await response.json()) as { sandboxes: readonly { name: string }[] }
    return sandboxes.map(({ name }) => name)
  }
  return {
    origin,
    ports,
    call: (target, key, init = {}) =>
      fetch(origin + target, { ...init, headers: { ...json, Authorization: `Bearer ${key}` } }),
    sandboxesOf,
    homeOf: async sandbox => {
      for (const replica of ports) if ((await sandboxesOf(replica)).includes(sandbox)) return replica
      throw new Error(`No replica has ${sandbox}.`)
    },
  }
}

/** Ends a process, and waits for its end. */
export async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
}

/** Waits until a URL answers 200. */
export async function answers(url: string): Promise<void> {
  await expect
    .poll(
      () =>
        fetch(url).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 100_000, interval: 100 },
    )
    .toBe(200)
}

/** The process whose command line has this text. */
export function pidOf(text: string): number {
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      if (line.includes(text) && line.includes('pet-mock')) return Number(pid)
    } catch {
      // It has ended meanwhile.
    }
  }
  throw new Error(`No process has ${text}.`)
}
