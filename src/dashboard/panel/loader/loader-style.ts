/** The styles of the button and of the box. The page's own styles do not reach into the shadow root. */
export const loaderStyle = `
:host { all: initial; position: fixed; inset: auto 12px 12px auto; z-index: 2147483647; color-scheme: light dark }
.toggle {
  float: right; padding: 6px 12px; border: 1px solid light-dark(#e3e5e9, #282d35); border-radius: 16px; cursor: pointer;
  background: light-dark(#fff, #15181d); color: light-dark(#1b1f24, #e6e8eb);
  font: 500 13px/1.4 system-ui, sans-serif; box-shadow: 0 2px 10px rgb(0 0 0 / 20%)
}
.toggle:focus-visible { outline: 2px solid light-dark(#4f46e5, #a5a3ff); outline-offset: 1px }
.box {
  width: min(380px, calc(100vw - 24px)); height: min(560px, calc(100vh - 70px)); margin-bottom: 8px; overflow: auto;
  border: 1px solid light-dark(#e3e5e9, #282d35); border-radius: 10px; background: light-dark(#fbfbfc, #0e1013);
  color: light-dark(#1b1f24, #e6e8eb); font: 13px/1.5 system-ui, sans-serif; box-shadow: 0 8px 30px rgb(0 0 0 / 30%)
}
.box[hidden] { display: none }
.box > p { margin: 0; padding: 14px }
iframe { display: block; width: 100%; height: 100%; border: 0 }
`
