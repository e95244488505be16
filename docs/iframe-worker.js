// A page that was opened from a folder may not start a worker, which the search needs. There a hidden frame runs the
// worker's script instead; the theme looks for a file of this name.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      frame.contentWindow.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = frame.contentDocument.createElement("script");
      const loaded = new Promise((ready) => script.addEventListener("load", ready));
      script.src = address;
      frame.contentDocument.body.append(script);
      this.postMessage = (data) => loaded.then(() => frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
