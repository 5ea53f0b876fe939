import type { Command } from '../../control/scenario/file.ts'

/** Puts `key` where the walkthrough has the scenario's key, and adds its sandbox to all other keys. */
export function replaceKey(scenarioKey: string, key: string) {
  const plus = key.lastIndexOf('+')
  const sandbox = plus === -1 ? undefined : key.slice(plus + 1)
  const withoutSandbox = plus === -1 ? key : key.slice(0, plus)
  const inBearer = (value: string) => {
    if (value === `Bearer ${scenarioKey}`) return `Bearer ${key}`
    return sandbox === undefined ? value : `${value}+${sandbox}`
  }
  return {
    /** The sandbox that `key` names. All calls use it. */
    sandbox,
    /** Takes and returns names and values in turn. */
    inHeaders: (headers: readonly string[]) =>
      headers.map((text, at) =>
        headers[at - 1]?.toLowerCase() === 'authorization' && at % 2 === 1 && text.startsWith('Bearer ')
          ? inBearer(text)
          : text,
      ),
    inChange: (change: Command): Command =>
      'key' in change && change.key === scenarioKey ? { ...change, key: withoutSandbox } : change,
  }
}
