import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished } from 'vitest'
import { commandWords, serveJson } from './run-command.ts'

export interface Agent {
  readonly client: Client
  readonly pid: number
  /** Calls a tool, and returns its data. Fails the test if the tool fails. */
  readonly call: (name: string, input?: Record<string, unknown>) => Promise<Data>
  /** Calls a tool that must fail, and returns its text. */
  readonly fails: (name: string, input?: Record<string, unknown>) => Promise<string>
  readonly stderr: () => string
}

// biome-ignore lint/suspicious/noExplicitAny: the data of any tool
export type Data = any

/** Starts `pet-mock mcp`, and connects the SDK's own client to it. `TMPDIR`: where servers are looked for. `words`: the command. */
export async function startAgent(
  TMPDIR: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  mode: 'legacy' | 'auto' = 'legacy',
  words: readonly string[] = commandWords,
): Promise<Agent> {
  const [command = '', ...first] = words
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StdioClientTransport({
    command,
    args: [...first, 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', TMPDIR, ...env },
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const run = async (name: string, input: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: input })
    const [{ text } = { text: undefined }] = result.content as readonly { readonly text?: string }[]
    return { text: text ?? '', data: result.structuredContent, isError: result.isError === true }
  }
  return {
    client,
    pid: transport.pid ?? 0,
    call: async (name, input) => {
      const { text, data, isError } = await run(name, input)
      expect(isError, text).toBe(false)
      expect(JSON.parse(text)).toEqual(data)
      return data
    },
    fails: async (name, input) => {
      const { text, data, isError } = await run(name, input)
      expect({ isError, data }).toEqual({ isError: true, data: undefined })
      return text
    },
    stderr: () => stderr,
  }
}

/** A server that the agents of this folder find. */
export function serveFor(TMPDIR: string, args: readonly string[] = [], env = {}) {
  return serveJson(args, { env: { TMPDIR, ...env } })
}
