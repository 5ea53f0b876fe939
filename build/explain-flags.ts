/** What is wrong with the flags of a program of this project, from the error of `parseArgs`: without its advice on `--`. */
export function explainFlags(error: unknown, program: string): string {
  const text = error instanceof Error ? error.message : String(error)
  const problem = text
    .replace(/ argument is ambiguous[\s\S]*/, ' takes a value, and that begins with no dash')
    .replace(/\.? (?:To specify a positional|This command does not)[\s\S]*/, '')
  return `${problem}. The flags: npm run ${program} -- --help`
}
