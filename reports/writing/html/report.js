// Shows the evidence of a cell or of a row, and filters the table of cases. Everything that comes from a session is
// set as text, never as markup. The layout of the data is in evidence.cpp.
"use strict";
(() => {
    const data = JSON.parse(document.getElementById("data").textContent);
    const rows = [...(document.querySelector(".cases tbody")?.rows ?? [])];
    const panel = document.getElementById("evidence");
    const NS = "http://www.w3.org/2000/svg";

    // make("p", "quiet", "text", child, ...): an element with a class and what is in it
    const make = (tag, style, ...inside) => {
        const element = document.createElement(tag);
        if (style) element.className = style;
        element.append(...inside.filter((one) => one !== null && one !== undefined));
        return element;
    };
    const spaced = (name) => name.replaceAll("_", " ");
    const text = (number) => data.texts[number];
    const idOf = (row) => row.cells[0].textContent;
    const placeOf = (row) => idOf(row).slice(idOf(row).lastIndexOf(".") + 1);

    const places = new Map();
    rows.forEach((row, i) => {
        const place = placeOf(row);
        if (!places.has(place)) places.set(place, []);
        places.get(place).push(i);
    });

    // ---- the evidence of one case

    const seconds = (value) => value === 0 ? "" : value < 1e-3 ? `${(value * 1e6).toFixed(0)} us` : value < 1 ? `${(value * 1e3).toFixed(2)} ms` : `${value.toFixed(2)} s`;

    const bytes = (size) => size > 0 && size % (1 << 20) === 0 ? `${size / (1 << 20)} MiB` : `${size} B`;

    const table = (style, names, body) => {
        const head = make("tr", "", ...names.map((name) => { const th = make("th", "", name); th.scope = "col"; return th; }));
        const inner = make("table", style, make("thead", "", head), make("tbody", "", ...body));
        return make("div", "wide", inner);
    };
    const tableRow = (...cells) => make("tr", "", ...cells.map((cell) => make("td", (cell.textContent ?? cell).length > 24 ? "long" : "", cell)));

    // The found word, with the digits that are not those of the stamp made bold.
    const differing = (expected, found) => make("span", "mono", ...[...found].map((digit, i) => digit === expected[i] ? digit : make("b", "", digit)));

    const stepsView = (steps) => {
        const wrong = steps.some((step) => step[7] > 0), diagnosed = steps.some((step) => text(step[5])), body = [], notes = new Set();
        for (const [name, outcome, size, call, error, diagnosis, detail, mismatched, offset, expected, found, time] of steps) {
            const row = [text(name), spaced(text(outcome)), bytes(size), seconds(time), ...(diagnosed ? [text(diagnosis)] : [])];
            if (wrong) row.push(...(mismatched === 0 ? ["", "", "", ""] : [`${mismatched} of ${Math.floor(size / 8)}`, `0x${offset.toString(16)}`,
                make("span", "mono", expected), differing(expected, found)]));
            body.push(tableRow(...row));
            if (text(outcome) === "delivered") continue;
            const answer = text(call) && !text(detail).includes(text(call)) ? ` (${text(call)} answered ${text(error)})` : "";
            notes.add((text(detail) || text(error)) + answer);
        }
        const names = ["step", "outcome", "size", "time", ...(diagnosed ? ["diagnosis"] : []), ...(wrong ? ["words wrong", "first at", "stamp expected", "found"] : [])];
        return [...[...notes].filter(Boolean).map((note) => make("p", "", note)), table("steps", names, body)];
    };

    const hintText = ([name, gpu, peer, value]) =>
        `${spaced(text(name))}${gpu >= 0 ? ` gpu${gpu}` : ""}${peer >= 0 ? ` into gpu${peer}` : ""}: ${text(value)}`;
    // Cases of a pair were told the same, mostly: each answer once.
    const hintsView = (hints) => {
        const said = [...new Set(hints.map(hintText))];
        return said.length ? make("p", "", make("span", "quiet", "hints, which decide nothing: "), said.join("; ")) : "";
    };

    const shape = (tag, attributes) => {
        const element = document.createElementNS(NS, tag);
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
        return element;
    };
    const bar = (median, p5, p95, ceiling) => {
        const scale = Math.max(median, p95, ceiling ?? 0, 1e-9), x = (value) => (260 * value / scale).toFixed(1);
        const svg = shape("svg", { class: "bar", viewBox: "0 0 260 16", "aria-hidden": "true" });
        svg.append(shape("rect", { class: "rail", y: 13, width: 260, height: 1 }),
            shape("rect", { class: ceiling !== null && median > ceiling ? "over" : "median", y: 4, width: x(median), height: 8 }),
            shape("path", { class: "spread", d: `M${x(p5)} 4v8M${x(p5)} 8H${x(p95)}M${x(p95)} 4v8` }));
        if (ceiling !== null) svg.append(shape("path", { class: "ceiling", d: `M${x(ceiling)} 0v16` }));
        return svg;
    };
    const measurementsView = (measurements) => table("", ["measurement", "", "median", "p5 .. p95", "samples", "ceiling"],
        measurements.map(([name, unit, median, p5, p95, samples, ceiling]) => tableRow(spaced(text(name)), bar(median, p5, p95, ceiling),
            `${median} ${text(unit)}`, `${p5} .. ${p95}`, `${samples}`, ceiling !== null ? `${ceiling}` : text(unit) === "GB/s" ? "unknown" : "none")));

    const claimedView = (measurements, outcome) => make("p", "", "claimed, and not measured: ",
        measurements.map(([name, unit, median]) => `${spaced(text(name))} ${median} ${text(unit)}`).join(", "), `; the bytes are ${outcome}`);

    const more = (row, one) => make("details", "", make("summary", "quiet", `${row.cells[3].textContent} s, ${text(one.end)}; log, and how to run it again`),
        make("pre", "", `bin/conformance --plan plan.json --gtest_filter=${text(one.test)}${placeOf(row)}`),
        one.log === undefined ? make("p", "quiet", "Its log is in logs/ and in report.json.") : make("pre", "", one.log));

    const caseView = (i, level) => {
        const row = rows[i], one = data.cases[i], [, outcome, fate, , summary] = [...row.cells];
        const title = make(level, "", outcome.querySelector(".mark").cloneNode(true), ` ${idOf(row)}: `,
            outcome.textContent.trim().replace(/^\S+\s+/, ""), fate.textContent === "held" ? "" : ` (${fate.textContent})`);
        if (one === null) return make("div", "", title, make("p", "quiet", "It has no record that may speak for it; the verdict says why."));
        const told = one.steps.some((step) => text(step[1]) !== "delivered" && text(step[6]));
        return make("div", "", title, told ? null : make("p", "", summary.textContent), ...(one.steps.length ? stepsView(one.steps) : []),
            one.measurements ? measurementsView(one.measurements) : null,
            one.claimed ? claimedView(one.claimed, outcome.textContent.trim().replace(/^\S+\s+/, "")) : null, more(row, one));
    };

    // ---- the matrix

    const pairHints = (a, b) => data.hints.filter(([, gpu, peer]) => (gpu === a && peer === b) || (gpu === b && peer === a));

    const untouched = [...(panel?.childNodes ?? [])];
    const pressed = () => document.querySelector(".cell[aria-pressed=true]");
    const closePair = () => {
        pressed()?.setAttribute("aria-pressed", "false");
        panel.replaceChildren(...untouched);
        delete panel.dataset.pair;
    };
    const closeButton = () => {
        const button = make("button", "close screen", "close");
        button.type = "button";
        button.title = "Escape";
        button.addEventListener("click", closePair);
        return button;
    };

    const showPair = (button) => {
        const [a, b] = button.dataset.pair.split(" ").map(Number);
        const both = a < b ? `gpu${a}_gpu${b}` : `gpu${b}_gpu${a}`;
        const cases = [...(places.get(`gpu${a}_to_gpu${b}`) ?? []), ...(places.get(both) ?? [])];
        const path = document.getElementById(`path-${data.paths[`${a} ${b}`]}`)?.cloneNode(true);
        path?.removeAttribute("id");
        const hints = [...cases.flatMap((i) => data.cases[i]?.hints ?? []), ...pairHints(a, b)];
        panel.replaceChildren(closeButton(), make("h3", "", `gpu${a} to gpu${b}`), make("div", "each", ...cases.map((i) => caseView(i, "h4"))), hintsView(hints), path ?? "");
        panel.dataset.pair = button.dataset.pair;
        panel.scrollTop = 0;
        pressed()?.setAttribute("aria-pressed", "false");
        button.setAttribute("aria-pressed", "true");
    };

    const cells = [...document.querySelectorAll(".cell")];
    const cellAt = new Map(cells.map((cell) => [cell.dataset.pair, cell]));
    // The next cell that way; the diagonal has none and is stepped over.
    const neighbour = (cell, down, right) => {
        let [a, b] = cell.dataset.pair.split(" ").map(Number);
        for (;;) {
            a += down;
            b += right;
            if (a < 0 || b < 0 || a >= data.gpus || b >= data.gpus) return null;
            if (a !== b) return cellAt.get(`${a} ${b}`);
        }
    };
    const ways = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const enter = (cell) => {
        for (const one of cells) one.tabIndex = one === cell ? 0 : -1;
        cell.focus();
    };
    if (cells.length) {
        for (const cell of cells) {
            cell.tabIndex = cell === cells[0] ? 0 : -1;
            cell.addEventListener("focus", () => showPair(cell));
            cell.addEventListener("click", () => enter(cell));
            cell.addEventListener("keydown", (event) => {
                const next = ways[event.key] && neighbour(cell, ...ways[event.key]);
                if (ways[event.key]) event.preventDefault();
                if (event.key === "Escape") closePair();
                if (next) enter(next);
            });
        }
    }

    // ---- the table of cases

    const body = document.querySelector(".cases tbody");
    if (!body) return;
    body.classList.add("script");

    const toggle = (row) => {
        if (row.classList.contains("detail")) return;
        const i = rows.indexOf(row);
        if (row.nextElementSibling?.classList.contains("detail")) {
            row.nextElementSibling.remove();
            row.classList.remove("shown");
            row.setAttribute("aria-expanded", "false");
            return;
        }
        const cell = make("td", "evidence", caseView(i, "h3"), hintsView(data.cases[i]?.hints ?? []));
        cell.colSpan = 5;
        row.after(make("tr", "detail", cell));
        row.classList.add("shown");
        row.setAttribute("aria-expanded", "true");
    };
    rows.forEach((row, i) => { row.tabIndex = i === 0 ? 0 : -1; });
    const onto = (row) => {
        body.querySelector("tr[tabindex='0']")?.setAttribute("tabindex", "-1");
        row.tabIndex = 0;
        row.focus();
    };
    body.addEventListener("click", (event) => {
        const row = event.target.closest("tr");
        if (row && rows.includes(row) && !String(getSelection())) { onto(row); toggle(row); }
    });
    body.addEventListener("keydown", (event) => {
        const row = event.target;
        if (row.tagName !== "TR") return;
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); toggle(row); }
        if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
        event.preventDefault();
        const shown = rows.filter((one) => !one.hidden);
        const next = shown[shown.indexOf(row) + (event.key === "ArrowDown" ? 1 : -1)];
        if (next) onto(next);
    });

    const form = document.getElementById("filters"), field = (name) => document.getElementById(`filter-${name}`);
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    const whole = rows.map((row) => row.textContent.toLowerCase());
    const outcomes = rows.map((row) => row.cells[1].textContent.trim().replace(/^\S+\s+/, ""));
    const filter = () => {
        const wanted = field("text").value.toLowerCase().split(/\s+/).filter(Boolean);
        const family = field("family").value, outcome = field("outcome").value, fate = field("fate").value;
        let count = 0;
        for (const detail of body.querySelectorAll("tr.detail")) toggle(detail.previousElementSibling);
        rows.forEach((row, i) => {
            const shown = wanted.every((word) => whole[i].includes(word)) && (!family || idOf(row).startsWith(`${family}.`)) &&
                (!outcome || outcomes[i] === outcome) && (!fate || row.cells[2].textContent === fate);
            if (row.hidden === shown) row.hidden = !shown;
            if (shown) ++count;
        });
        const first = rows.find((row) => !row.hidden);
        if (first && !rows.some((row) => !row.hidden && row.tabIndex === 0)) {
            body.querySelector("tr[tabindex='0']")?.setAttribute("tabindex", "-1");
            first.tabIndex = 0;
        }
        field("count").textContent = `${count} of ${rows.length}`;
    };
    form.addEventListener("input", filter);
    filter();
})();
