/*
 * Draws docs/terminal.svg: what a terminal shows of pet-mock at work. It runs the built command in a pseudo-terminal,
 * makes a few calls, and draws what came, so that the picture cannot promise what is not there.
 * Run by hand when the output changes: `npm run build && npx tsx tools/build/picture/terminal.ts`.
 */
import { writeFile } from 'node:fs/promises'
import { columns, drawTerminal, openTerminal } from './draw-terminal.ts'

const words = '--scenario rate-limit-exhaustion'
const { child, output, until, ended } = openTerminal(`node dist/pet-mock.cjs ${words}`)
await until('Ctrl+C')

const url = 'http://127.0.0.1:7387/v1/pets'
const headers = { authorization: 'Bearer demo-free', 'content-type': 'application/json' }
await fetch(`${url}?limit=5`, { headers })
await fetch(url, { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' })
await fetch(url, { method: 'POST', headers, body: '{"name":"Rex"}' })
await fetch(url, { headers })
await fetch(url)
await fetch(`${url}/13`, { headers: { ...headers, authorization: 'Bearer demo-pro+worker-3' } })
await until('worker-3')
child.kill('SIGTERM')
await ended

const text = `$ npx pet-mock ${words}\n${output()}`
await writeFile('docs/terminal.svg', drawTerminal(text, { columns, label: 'pet-mock in a terminal' }))
