'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const id = (name) => document.getElementById(name);
  // Text of a document only ever becomes text: nothing here writes HTML.
  const make = (name, attributes = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== undefined && value !== null) node.setAttribute(key, value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
  };
  const number = (n) => n.toLocaleString('en');
  const shorter = data.tokens.single > 0 ? Math.round(100 * data.tokens.listed / data.tokens.single) : null;

  id('title').textContent = data.title || data.server;
  id('lead').textContent = [data.version && `Version ${data.version}`, `server ${data.server}`,
    data.servers.length > 0 && `calls ${data.servers.join(', ')}`].filter(Boolean).join(' · ');
  const figure = (value, words) => make('div', {}, make('b', {}, value), words);
  id('figures').append(
    figure(number(data.operations.length), 'operations'),
    figure(number(data.operations.filter((o) => o.where !== 'excluded').length), 'reachable'),
    figure(number(data.tools.length), `tools, ${data.tools.filter((t) => t.posture === 'primary').length} primary`),
    figure(`≈ ${number(data.tokens.listed)}`, 'tokens for all tools'),
    figure(`≈ ${number(data.tokens.single)}`, 'tokens with one tool for each operation'),
    ...(shorter === null ? [] : [figure(`${shorter} %`, 'of that is left')]));

  const tools = new Map();
  const tag = (words, kind) => make('span', { class: `tag ${kind || ''}` }, words);
  const tags = (tool) => [
    tool.annotations.readOnlyHint ? tag('reads', 'read') : tag('writes', 'write'),
    tool.annotations.destructiveHint ? tag('may destroy', 'destroys') : null,
    tool.annotations.idempotentHint && !tool.annotations.readOnlyHint ? tag('idempotent') : null,
    tool.posture === 'primary' ? null : tag(tool.posture)].filter(Boolean);
  const largest = Math.max(1, ...data.tools.map((t) => t.tokens));

  const argumentRows = (tool) => tool.arguments.map((argument) => make('tr', {},
    make('td', {}, make('code', {}, argument.name)),
    make('td', {}, argument.type),
    make('td', {}, argument.required),
    make('td', {}, ...Object.entries(argument.to).map(([action, place]) =>
      make('div', {}, tool.actions.length > 1 ? `${action}: ` : '', make('code', {}, place)))),
    make('td', {}, argument.description, argument.why ? make('div', { class: 'soft' }, argument.why) : null)));
  const head = (...names) => make('tr', {}, ...names.map((name) => make('th', { scope: 'col' }, name)));

  // What is folded is only made when somebody opens it: large plans stay light.
  const fill = (details, tool) => {
    if (details.dataset.full) return;
    details.dataset.full = 'yes';
    details.append(make('p', {}, tool.description));
    if (tool.actions.length > 0) {
      details.append(make('table', {}, head('Action', 'Operation', 'Summary', 'Must be given'),
        ...tool.actions.map((action) => make('tr', {},
          make('td', {}, make('code', {}, action.name)),
          make('td', { class: 'path' }, action.operation),
          make('td', {}, action.summary),
          make('td', {}, action.required.join(', '))))));
    }
    if (tool.arguments.length > 0) {
      details.append(make('table', {}, head('Argument', 'Type', 'Required', 'Goes to', 'Description'),
        ...argumentRows(tool)));
    }
    if (tool.why.length > 0) {
      details.append(make('h3', { class: 'soft' }, 'Why'), make('ul', {}, ...tool.why.map((w) => make('li', {}, w))));
    }
    details.append(make('details', {}, make('summary', {}, 'As a client gets it'),
      make('pre', { tabindex: '0' }, JSON.stringify(tool.definition, null, 2))));
  };
  const drawTool = (tool) => {
    const details = make('details', { id: `tool-${tool.name}` },
      make('summary', {}, make('b', {}, tool.title), ' ', make('code', {}, tool.name), ' ', ...tags(tool),
        make('span', { class: 'soft' }, ` ≈ ${number(tool.tokens)} tokens`),
        make('div', { class: 'flow' }, ...tool.actions.map((a) => make('span', { class: 'tag' }, a.name))),
        make('div', { class: 'bar', 'aria-hidden': 'true' }, bar(tool.tokens / largest))));
    details.addEventListener('toggle', () => { if (details.open) fill(details, tool); });
    details.addEventListener('mouseenter', () => light(tool.name, true));
    details.addEventListener('mouseleave', () => light(tool.name, false));
    tools.set(tool.name, { tool, details, text: words(tool.name, tool.title, tool.description) });
    return details;
  };
  const bar = (share) => {
    const inner = make('i');
    inner.style.width = `${Math.max(1, Math.round(100 * share))}%`;
    return inner;
  };
  const words = (...parts) => parts.join(' ').toLowerCase();

  const operations = data.operations.map((operation) => {
    const to = operation.where === 'tool' ? `→ ${operation.tool} · ${operation.action}`
      : operation.where === 'catalog' ? `→ catalog · ${operation.action}` : `left out: ${operation.reason}`;
    const row = make('button', { type: 'button', class: `row ${operation.effect}` },
      make('span', { class: 'method' }, operation.method),
      make('span', {}, make('span', { class: 'path' }, operation.path),
        make('div', {}, operation.summary, operation.deprecated ? ' (deprecated)' : ''),
        make('div', { class: 'to' }, to)));
    row.addEventListener('click', () => {
      const target = tools.get(operation.tool);
      if (!target) return;
      target.details.hidden = false;
      target.details.open = true;
      fill(target.details, target.tool);
      target.details.scrollIntoView({ block: 'start' });
      target.details.querySelector('summary').focus();
    });
    return { operation, row, text: words(operation.method, operation.path, operation.summary, to, operation.tags.join(' ')) };
  });
  const light = (name, on) => {
    for (const { operation, row } of operations) {
      if (operation.tool === name) row.classList.toggle('lit', on);
    }
  };
  id('tool-list').append(...data.tools.map(drawTool));
  id('operation-list').append(...operations.map((o) => o.row));

  if (data.changes) {
    const rows = data.changes.changes.map((change) => make('tr', {},
      make('td', { class: change.impact }, change.impact), make('td', {}, make('code', {}, change.kind)),
      make('td', {}, change.tool || ''), make('td', {}, change.message)));
    id('changes').hidden = false;
    id('change-list').append(rows.length === 0 ? make('p', {}, 'No changes.')
      : make('table', {}, head('Impact', 'Kind', 'Tool', 'What'), ...rows));
  }
  if (data.findings.length > 0) {
    id('findings').hidden = false;
    id('finding-list').append(make('table', {}, head('Severity', 'Kind', 'What', 'Where'),
      ...data.findings.map((finding) => make('tr', {}, make('td', { class: finding.severity }, finding.severity),
        make('td', {}, make('code', {}, finding.code)),
        make('td', {}, finding.message, finding.help ? make('div', { class: 'soft' }, finding.help) : null),
        make('td', { class: 'path' }, finding.place)))));
  }

  const apply = () => {
    const asked = id('search').value.toLowerCase().split(/\s+/).filter(Boolean);
    const where = id('where').value;
    const effect = id('effect').value;
    const named = new Set();
    let shown = 0;
    for (const { operation, row, text } of operations) {
      const fine = (!where || operation.where === where) && (!effect || operation.effect === effect)
        && asked.every((word) => text.includes(word));
      row.hidden = !fine;
      row.style.display = fine ? '' : 'none';
      if (fine) { shown += 1; named.add(operation.tool); }
    }
    let kept = 0;
    for (const [name, { details, text }] of tools) {
      const fine = named.has(name) || (asked.length > 0 && !where && !effect && asked.every((word) => text.includes(word)))
        || (asked.length === 0 && !where && !effect);
      details.hidden = !fine;
      if (fine) kept += 1;
    }
    id('count').textContent = `${number(shown)} operations, ${number(kept)} tools`;
  };
  for (const name of ['search', 'where', 'effect']) id(name).addEventListener('input', apply);
  id('bar').addEventListener('submit', (event) => event.preventDefault());
  id('open').addEventListener('click', () => { for (const { details } of tools.values()) details.open = !details.hidden; });
  id('shut').addEventListener('click', () => { for (const { details } of tools.values()) details.open = false; });
  id('theme').addEventListener('click', () => {
    const dark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'light' : 'dark';
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && !['INPUT', 'SELECT', 'TEXTAREA'].includes(document.activeElement.tagName)) {
      event.preventDefault();
      id('search').focus();
    }
    if (event.key === 'Escape' && document.activeElement === id('search')) { id('search').value = ''; apply(); }
  });
  apply();
})();
