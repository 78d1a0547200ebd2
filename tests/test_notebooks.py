"""Every notebook runs from top to bottom, without a complaint, and its export shows what it showed."""

import nbclient
import nbconvert
import nbformat
import pytest

from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert [output for output in outputs if output.get("name") == "stderr"] == []
    page, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    data = [output.get("data", {}) for output in outputs]
    assert page.count('src="data:image/png') == sum("image/png" in each for each in data) > 0
    assert page.count("<iframe") == sum("<iframe" in each.get("text/html", "") for each in data) > 0
