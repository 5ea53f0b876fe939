import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Lines of text with SGR escapes, as an SVG that is readable on light and dark pages. */
export function drawTerminal(
  text: string,
  { columns, label }: { readonly columns: number; readonly label: string },
): string {
  const lines = text.replaceAll('\r', '').trimEnd().split('\n')
  const lineHeight = 19
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal is told begins with one.
  const widest = Math.max(...lines.map(line => line.replaceAll(/\u001b\[[0-9;]*m/g, '').length))
  const width = Math.ceil(Math.max(columns, widest) * 8.43) + 40
  const height = lines.length * lineHeight + 44
  const rows = lines.map((line, row) => `<text x="20" y="${38 + row * lineHeight}">${drawLine(line)}</text>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
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

export const columns = 110

/** Runs a command line in a pseudo-terminal (util-linux `script`). */
export function openTerminal(commandLine: string, cwd?: string) {
  // Variables such as CI and NO_COLOR change what a terminal shows.
  const { PATH, HOME } = process.env
  const child = spawn('script', ['-qfec', `stty cols ${columns}; exec ${commandLine}`, '/dev/null'], {
    cwd,
    env: { PATH, HOME, TERM: 'xterm-256color' },
  })
  const ended = once(child, 'exit')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', chunk => {
    output += chunk
  })
  const until = async (text: string): Promise<void> => {
    for (let wait = 0; !output.includes(text) && wait < 100; wait += 1)
      await new Promise(resolve => setTimeout(resolve, 100))
    if (!output.includes(text)) throw new Error(`The terminal shows only:\n${output}`)
  }
  return { child, output: () => output, until, ended }
}
