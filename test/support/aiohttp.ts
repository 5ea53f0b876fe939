import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { findProgram } from './requirements.ts'

/** A Python that has aiohttp. */
export function findAiohttp(): string | undefined {
  const python = findProgram('python3')
  try {
    if (python !== undefined) execFileSync(python, ['-c', 'import aiohttp'], { stdio: 'ignore' })
    return python
  } catch {
    return undefined
  }
}

/** Runs a coroutine's lines with `session`, a session of aiohttp that authorizes itself, and `url`. Gives what they print. */
export async function runAiohttp(python: string, lines: string, url: string, key: string): Promise<string> {
  const program = `
import aiohttp, asyncio, sys
url, key = sys.argv[1:]
async def main():
    async with aiohttp.ClientSession(headers={'Authorization': 'Bearer ' + key}) as session:
        async def get():
            async with session.get(url) as response:
                await response.read()
                return response
${lines.trim().replaceAll(/^/gm, '        ')}
asyncio.run(main())
`
  const { stdout } = await promisify(execFile)(python, ['-c', program, url, key], { timeout: 100_000 })
  return stdout.trim()
}
