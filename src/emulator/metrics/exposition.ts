export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

export interface Sample {
  /** After the family's name: `_bucket`, `_sum` and `_count` of a histogram. */
  readonly suffix?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** The media type of `writeExposition`. */
export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/** The text format of Prometheus, version 0.0.4. */
export function writeExposition(families: readonly Family[]): string {
  return families.map(writeFamily).join('')
}

function writeFamily({ name, help, type, samples }: Family): string {
  const lines = samples.map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${writeLabels(labels)} ${value}`,
  )
  const text = help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')
  return [`# HELP ${name} ${text}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

function writeLabels(labels: Readonly<Record<string, string>>): string {
  const escaped = (character: string) => (character === '\n' ? '\\n' : `\\${character}`)
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escaped)}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
