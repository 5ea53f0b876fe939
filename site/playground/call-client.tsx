import { signal } from '@preact/signals'
import { Button, Choice } from './controls.tsx'
import { forms } from './copy.ts'
import {
  call,
  clock,
  explain,
  form,
  hasBody,
  isSending,
  methods,
  mock,
  noKey,
  readClock,
  send,
  sentenceOf,
  shippedKeys,
  shown,
  targets,
  trouble,
} from './mock.ts'

const moves = { '1 s': '1s', '1 min': '1m', '1 h': '1h', '1 day': '24h' } as const

/** Headers of a response that a client of this API acts on. */
const telling = /^(?:x-ratelimit-|retry-after|deprecation|sunset|link|location|x-pet-mock)/

const copied = signal('')

export function CallClient() {
  const { method, target, key, body } = form.value
  const set = (change: Partial<typeof form.value>) => (form.value = { ...form.value, ...change })
  return (
    <>
      <form
        class="call"
        onSubmit={event => {
          event.preventDefault()
          void act(() => send(call.value))
        }}
      >
        <Choice label="Method" value={method} options={methods} onChoose={method => set({ method })} />
        <label class="wide">
          Path and query
          <input
            value={target}
            spellcheck={false}
            required
            pattern={targets}
            title="It begins with one /, such as /v1/pets"
            onInput={({ currentTarget }) => set({ target: currentTarget.value })}
          />
        </label>
        <Choice
          label="Key"
          value={key}
          options={[...new Set([...shippedKeys, key, noKey])]}
          onChoose={key => set({ key })}
        />
        {hasBody.value && (
          <label class="whole">
            Body
            <textarea
              rows={3}
              value={body}
              spellcheck={false}
              onInput={({ currentTarget }) => set({ body: currentTarget.value })}
            />
          </label>
        )}
        <div class="buttons whole">
          <button type="submit" class="main">
            Send
          </button>
          <Button onClick={() => act(() => send(call.value, 10))}>Send 10</Button>
        </div>
      </form>
      <fieldset class="buttons" aria-label="Clock">
        <span class="time">{clock.value?.toISOString().replace(/\.\d+Z$/, 'Z') ?? 'The clock'}</span>
        {Object.entries(moves).map(([label, by]) => (
          <Button key={by} onClick={() => act(() => mock.clock.advance(by))}>
            +{label}
          </Button>
        ))}
      </fieldset>
      <Response />
      <fieldset class="buttons" aria-label="Copy as">
        <span>Copy as</span>
        {forms.map(([name, write]) => (
          <Button key={name} onClick={() => copy(name, write)}>
            {name}
          </Button>
        ))}
      </fieldset>
      <p role="status" class="note">
        {copied.value}
      </p>
    </>
  )
}

/** Does something, and then shows the clock and why the last response is as it is. */
export async function act(change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
    await (shown.value?.reasons.length === 0 ? explain() : readClock())
  } catch (error) {
    trouble.value = sentenceOf(error)
  }
}

async function copy(name: string, write: () => string | Promise<string>): Promise<void> {
  try {
    const text = await write()
    await navigator.clipboard.writeText(text)
    copied.value = `Copied as ${name}: ${text.length} characters.`
  } catch (error) {
    copied.value = `Not copied: ${sentenceOf(error)}`
  }
}

function Response() {
  if (shown.value === undefined)
    return (
      <p class="response">
        {isSending.value ? 'Waiting for the response.' : 'No response yet: send a call.'}
      </p>
    )
  const { call, status, headers, body, reasons } = shown.value
  return (
    <section class="response" aria-label="Response" aria-live="polite">
      <p>
        <strong class={status < 400 ? 'good' : 'bad'}>{status}</strong> {call.method} {call.target}
      </p>
      {reasons.length > 0 && (
        <details open={status >= 400}>
          <summary>Why</summary>
          {reasons.map(sentence => (
            <p key={sentence}>{sentence}</p>
          ))}
        </details>
      )}
      <dl>
        {headers
          .filter(([name]) => telling.test(name))
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: It scrolls, so the keyboard must reach it. */}
      <pre tabIndex={0}>{body}</pre>
    </section>
  )
}
