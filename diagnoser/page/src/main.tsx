import { render } from "preact";
import { Model } from "./state/model";
import { App } from "./view/app";
import { ModelContext } from "./view/hooks";

const model = new Model();
const place = document.getElementById("app");
if (place) {
  render(
    <ModelContext.Provider value={model}>
      <App />
    </ModelContext.Provider>,
    place,
  );
}
model.start();
