/*
 * Draws docs/terminal.svg: what a terminal shows of pet-mock at work. It runs the built command in a pseudo-terminal
 * (util-linux `script`), makes a few calls, and draws what came, so that the picture cannot promise what is not there.
 * Run by hand when the output changes: `npm run build && npx tsx build/picture.ts`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'

const columns = 110
const port = 7387
const command = `stty cols ${columns}; exec node dist/pet-mock.js --scenario rate-limit-exhaustion`

const terminal = spawn('script', ['-qfec', command, '/dev/null'], {
  env: { ...process.env, TERM: 'xterm-256color' },
})
let output = ''
terminal.stdout.on('data', chunk => {
  output += chunk
})
await until(() => output.includes('Ctrl+C'))

const url = `http://127.0.0.1:${port}/v1/pets`
const headers = { authorization: 'Bearer demo-free', 'content-type': 'application/json' }
await fetch(`${url}?limit=5`, { headers })
await fetch(url, { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' })
await fetch(url, { method: 'POST', headers, body: '{"name":"Rex"}' })
await fetch(url, { headers })
await fetch(url)
await fetch(`${url}/13`, { headers: { ...headers, authorization: 'Bearer demo-pro+worker-3' } })
await until(() => output.includes('worker-3'))
terminal.kill('SIGTERM')
await once(terminal, 'exit')

await writeFile(
  'docs/terminal.svg',
  drawTerminal(`$ npx pet-mock --scenario rate-limit-exhaustion\n${output}`),
)

async function until(condition: () => boolean): Promise<void> {
  for (let wait = 0; !condition() && wait < 100; wait += 1)
    await new Promise(resolve => setTimeout(resolve, 100))
  if (!condition()) throw new Error(`The terminal shows only:\n${output}`)
}

/** Lines of text with SGR escapes, as an SVG that is readable on light and dark pages. */
function drawTerminal(text: string): string {
  const lines = text.replaceAll('\r', '').trimEnd().split('\n')
  const lineHeight = 19
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal is told begins with one.
  const widest = Math.max(...lines.map(line => line.replaceAll(/\u001b\[[0-9;]*m/g, '').length))
  const width = Math.ceil(Math.max(columns, widest) * 8.43) + 40
  const height = lines.length * lineHeight + 44
  const rows = lines.map((line, row) => `<text x="20" y="${38 + row * lineHeight}">${drawLine(line)}</text>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="pet-mock in a terminal">
<style>
rect{fill:#16181d}text{fill:#d7dae0;font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}
.c1{font-weight:700}.c2{fill:#8a909c}.c31{fill:#ff6b6b}.c32{fill:#7bd88f}.c33{fill:#f7c95c}.c34{fill:#6fb3ff}.c35{fill:#d79bff}.c36{fill:#5fd7d7}
</style>
<rect width="100%" height="100%" rx="10"/>
${rows.join('\n')}
</svg>
`
}

function drawLine(line: string): string {
  let classes: string[] = []
  const parts = line.replaceAll('\u001b', '').split(/\[([0-9;]*)m/)
  return parts
    .map((part, index) => {
      if (index % 2 === 0)
        return part === '' ? '' : `<tspan class="${classes.join(' ')}">${escapeXml(part)}</tspan>`
      for (const code of part.split(';').map(Number)) {
        if (code === 0) classes = []
        else if (code === 22) classes = classes.filter(name => name !== 'c1' && name !== 'c2')
        else if (code === 39) classes = classes.filter(name => !/^c3\d$/.test(name))
        else classes = [...classes, `c${code}`]
      }
      return ''
    })
    .join('')
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
