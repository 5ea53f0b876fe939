/* In a page, standard input is what a command before the `|` printed. It replaces a function of the command line. */

export * from '../../src/cli/terminal/io.ts'

let input = ''

export function setStandardInput(text: string): void {
  input = text
}

export async function readStandardInput(): Promise<Uint8Array> {
  return new TextEncoder().encode(input)
}
